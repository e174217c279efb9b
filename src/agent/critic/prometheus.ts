import type { ChatMessage } from "../models/types.ts";
import { fencedText, materialRule, oneLine, type JudgeForm, type JudgedTexts } from "./judge-form.ts";

/** A judgement that could not be read is asked for again at these; at one and the same it may say the same again. */
const TEMPERATURES = [1, 0.7, 1.2] as const;

/** The model has the words for single answers built in, so that a comparison must bring its own. */
const COMPARES =
  "You compare responses fairly. Write clear feedback on how they differ, by the one criterion that you are given, and say which of them is better.";

/** The form that Prometheus was trained on: its sections, and a result behind the feedback. */
export const PROMETHEUS: JudgeForm = {
  kind: "prometheus",
  minContext: 4_096,
  maxTokens: 1_024,
  tries: TEMPERATURES.length,
  sampling: (sample, _samples, attempt) => ({
    temperature: TEMPERATURES[attempt % TEMPERATURES.length] ?? 1,
    topP: 0.9,
    seed: 1 + sample * TEMPERATURES.length + attempt,
  }),
  grade: (texts) => [user(gradePrompt(texts))],
  pair: (texts) => [{ role: "system", content: COMPARES }, user(pairPrompt(texts))],
};

function user(content: string): ChatMessage {
  return { role: "user", content };
}

function gradePrompt({ question, answers, sources, reference, rubric, fence }: JudgedTexts): string {
  const [answer = { text: "", note: "" }] = answers;
  const beside = reference === undefined ? "" : " a reference answer that is worth a 5,";
  return [
    "###Task Description:",
    `Below are an instruction, a response to it,${beside} and the rubric by which the response is scored.`,
    "1. Write feedback on the response: how well it does by the rubric, and by nothing else.",
    "2. Behind the feedback write the score, a whole number from 1 to 5, as the rubric describes it.",
    "3. Keep to this form: Feedback: (your feedback) [RESULT] (a whole number from 1 to 5)",
    "4. Write nothing else, neither before nor behind it.",
    materialRule(fence),
    "",
    "###The instruction to evaluate:",
    fencedText(fence, "instruction", question),
    ...(sources === undefined
      ? []
      : ["What the response could draw on:", fencedText(fence, "sources", sources)]),
    "",
    "###Response to evaluate:",
    fencedText(fence, "response", answer),
    ...(reference === undefined
      ? []
      : ["", "###Reference Answer (Score 5):", fencedText(fence, "reference", reference)]),
    "",
    "###Score Rubrics:",
    `[${oneLine(rubric.criterion)}]`,
    ...rubric.levels.map((level, at) => `Score ${at + 1}: ${oneLine(level)}`),
    "",
    "###Feedback: ",
  ].join("\n");
}

function pairPrompt({ question, answers, reference, rubric, fence }: JudgedTexts): string {
  const [first = { text: "", note: "" }, second = { text: "", note: "" }] = answers;
  const beside = reference === undefined ? "" : " a reference answer,";
  return [
    "###Task Description:",
    `Below are an instruction, two responses to it,${beside} and the criterion by which they are compared.`,
    "1. Write feedback that compares the two responses by the criterion, and by nothing else. Their order and their length mean nothing.",
    "2. Behind the feedback write which response is better: A or B.",
    "3. Keep to this form: Feedback: (your feedback) [RESULT] (A or B)",
    "4. Write nothing else, neither before nor behind it.",
    materialRule(fence),
    "",
    "###Instruction:",
    fencedText(fence, "instruction", question),
    "",
    "###Response A:",
    fencedText(fence, "response A", first),
    "",
    "###Response B:",
    fencedText(fence, "response B", second),
    ...(reference === undefined
      ? []
      : ["", "###Reference Answer:", fencedText(fence, "reference", reference)]),
    "",
    "###Score Rubric:",
    oneLine(rubric.criterion),
    "",
    "###Feedback: ",
  ].join("\n");
}

import type { JsonObject } from "../models/types.ts";
import { fencedText, materialRule, oneLine, type JudgeForm, type JudgedTexts } from "./judge-form.ts";

/** Short, so that the smallest of models comes to the result; in characters. */
const FEEDBACK: JsonObject = { type: "string", minLength: 1, maxLength: 500 };
const GRADE_FORMAT = object({ feedback: FEEDBACK, score: { type: "integer", enum: [1, 2, 3, 4, 5] } });
const PAIR_FORMAT = object({ feedback: FEEDBACK, winner: { type: "string", enum: ["A", "B", "tie"] } });

/** Samples must differ to tell anything; a single one is to be the same each time. */
const SAMPLED = 0.7;

const RULES =
  "You judge answers that others wrote: fairly, strictly by the rubric you are given, and for what they say, not for how long or how sure they sound.";

/** How any model is asked: for an object whose feedback comes before the result, so that the one leads to the other. */
export const CONSTRAINED: JudgeForm = {
  kind: "constrained",
  minContext: 1_024,
  maxTokens: 640,
  tries: 2,
  sampling: (sample, samples, attempt) => ({
    temperature: samples > 1 || attempt > 0 ? SAMPLED : 0,
    seed: 1 + sample * 2 + attempt,
  }),
  grade: (texts) => [
    { role: "system", content: RULES },
    { role: "user", content: gradePrompt(texts) },
  ],
  pair: (texts) => [
    { role: "system", content: RULES },
    { role: "user", content: pairPrompt(texts) },
  ],
  formats: { grade: GRADE_FORMAT, pair: PAIR_FORMAT },
};

function object(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function gradePrompt(texts: JudgedTexts): string {
  const [answer = { text: "", note: "" }] = texts.answers;
  const { rubric, fence } = texts;
  return [
    ...before(texts),
    "The answer to be graded:",
    fencedText(fence, "answer", answer),
    "",
    `The rubric: ${oneLine(rubric.criterion)}`,
    ...rubric.levels.map((level, at) => `${at + 1}: ${oneLine(level)}`),
    "",
    materialRule(fence),
    "First write the feedback: in two or three sentences, in the language of the question, what is good and what is wrong by this rubric. Then the score: the number of the level that fits.",
    ...asObject(GRADE_FORMAT),
  ].join("\n");
}

function pairPrompt(texts: JudgedTexts): string {
  const [first = { text: "", note: "" }, second = { text: "", note: "" }] = texts.answers;
  const { rubric, fence } = texts;
  return [
    ...before(texts),
    "Answer A:",
    fencedText(fence, "answer A", first),
    "",
    "Answer B:",
    fencedText(fence, "answer B", second),
    "",
    `The criterion: ${oneLine(rubric.criterion)}`,
    "",
    materialRule(fence),
    "Which of the two answers is better by this criterion? Their order and their length mean nothing. First write the feedback: in two or three sentences, in the language of the question, how they differ. Then the winner: A, B, or tie where neither is better.",
    ...asObject(PAIR_FORMAT),
  ].join("\n");
}

function before({ question, sources, reference, fence }: JudgedTexts): readonly string[] {
  return [
    "The question:",
    fencedText(fence, "question", question),
    "",
    ...(sources === undefined
      ? []
      : ["What the answer could draw on:", fencedText(fence, "sources", sources), ""]),
    ...(reference === undefined
      ? []
      : ["A reference answer, known to be good:", fencedText(fence, "reference", reference), ""]),
  ];
}

function asObject(format: JsonObject): readonly string[] {
  return ["Reply with one JSON object and nothing else, valid for this schema:", JSON.stringify(format)];
}

import { find } from "../../../src/cli/eval/case/pattern.ts";
import { refuses } from "../refusal.ts";
import type { Question } from "./schema.ts";

/** How a question's turn ended; `late`: its time was up. */
export const ENDINGS = ["answered", "failed", "cancelled", "late"] as const;

/** What a question's turn came to, as far as it is scored. */
export interface TurnResult {
  readonly ended: (typeof ENDINGS)[number];
  readonly answer: string;
  /** Names of the tools that were called, in their order. */
  readonly tools: readonly string[];
  /** The failure's sentence. */
  readonly error?: string;
}

/** Whether an answer is right. */
export interface Score {
  /** All in all: for a question that needs no tool, that none was called as well. */
  readonly right: boolean;
  /** What the answer says is right, however it came about. */
  readonly answerRight: boolean;
  readonly calledTool: boolean;
  /** Why it is not right, in words. */
  readonly why: readonly string[];
}

/** Scores what came of a question by what a right answer is like, whatever the case of letters, after NFKC. */
export function score({ kind, expect }: Pick<Question, "kind" | "expect">, given: TurnResult): Score {
  const faults = given.ended === "answered" ? answerFaults(expect, given.answer) : [endWords(given)];
  const calledTool = given.tools.length > 0;
  const called = kind === "no_tool" && calledTool ? [`called ${[...new Set(given.tools)].join(", ")}`] : [];
  const why = [...faults, ...called];
  return { right: why.length === 0, answerRight: faults.length === 0, calledTool, why };
}

function answerFaults(expect: Question["expect"], answer: string): readonly string[] {
  const text = answer.normalize("NFKC");
  if (text.trim() === "") return ["is empty"];
  const lacking = expect.all.flatMap((pattern) => {
    const found = find(pattern, text);
    return found === true ? [] : [typeof found === "object" ? found.problem : `lacks /${pattern.source}/`];
  });
  const wrong = expect.none.flatMap((pattern) => {
    const found = find(pattern, text);
    return found === false ? [] : [typeof found === "object" ? found.problem : `has /${pattern.source}/`];
  });
  const asserts = expect.refuses && !refuses(text) ? ["does not say that it does not know"] : [];
  return [...lacking, ...asserts, ...wrong];
}

function endWords({ ended, error }: TurnResult): string {
  if (ended === "late") return "had not ended when its time was up";
  return `${ended === "failed" ? "failed" : "was cancelled"}${error === undefined ? "" : `: ${error}`}`;
}

import type { GradeRequest, JudgeDeps, PairRequest, Rubric } from "../../../../src/agent/critic/types.ts";
import { createGate } from "../../../../src/agent/gate.ts";
import type { ChatChunk, ChatModel, ChatRequest } from "../../../../src/agent/models/types.ts";
import { end, muse, say } from "../support.ts";

export const RUBRIC: Rubric = {
  name: "plainness",
  criterion: "Is the answer plain?",
  levels: ["Not at all.", "Hardly.", "Half of it.", "Nearly all of it.", "All of it."],
  agents: [],
  source: "built-in",
};

/** A request to grade an answer. */
export function toGrade(answer: string, more: Partial<GradeRequest> = {}): GradeRequest {
  return { question: "What is Oban?", answer, sources: "", rubric: RUBRIC, ...more };
}

/** A request to compare two answers. */
export function toCompare(a: string, b: string, more: Partial<PairRequest> = {}): PairRequest {
  return { question: "Where shall we go?", a, b, rubric: RUBRIC, ...more };
}

/** What a judgement is made with; the clock stands still unless a test moves it. */
export function judgeDeps(model: ChatModel, more: Partial<JudgeDeps> = {}): JudgeDeps {
  return {
    model,
    gate: createGate(1),
    runner: { contextLength: 8_192, keepAlive: "30m" },
    now: () => 0,
    samples: 1,
    ...more,
  };
}

/** All that a request says. */
export function promptOf({ messages }: ChatRequest): string {
  return messages.map(({ content }) => content).join("\n");
}

/** A reply that was cut at the limit of tokens. */
export function cutOff(content: string, thinking = ""): readonly ChatChunk[] {
  return [
    ...(thinking === "" ? [] : [muse(thinking)]),
    ...(content === "" ? [] : [say(content)]),
    end("length"),
  ];
}

/** An object as a judge gives its grade. */
export function graded(score: unknown, feedback = "Well said."): string {
  return JSON.stringify({ feedback, score });
}

/** An object as a judge gives its verdict. */
export function preferred(winner: unknown, feedback = "It says more."): string {
  return JSON.stringify({ feedback, winner });
}

/** A signal that nobody fires. */
export const NEVER = new AbortController().signal;

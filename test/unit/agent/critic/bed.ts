import type { GradeRequest, JudgeDeps, PairRequest, Rubric } from "../../../../src/agent/critic/types.ts";
import { createGate } from "../../../../src/agent/gate.ts";
import type { ChatChunk, ChatModel } from "../../../../src/agent/models/types.ts";
import { end, muse, say } from "../support.ts";

/** A rubric of the tests. */
export const RUBRIC: Rubric = {
  name: "plainness",
  criterion: "Is the answer plain?",
  levels: ["Not at all.", "Hardly.", "Half of it.", "Nearly all of it.", "All of it."],
  agents: [],
  source: "built-in",
};

/** An answer to be graded. */
export function toGrade(answer: string, more: Partial<GradeRequest> = {}): GradeRequest {
  return { question: "What is Oban?", answer, sources: "", rubric: RUBRIC, ...more };
}

/** Two answers to be compared. */
export function toCompare(a: string, b: string, more: Partial<PairRequest> = {}): PairRequest {
  return { question: "Where shall we go?", a, b, rubric: RUBRIC, ...more };
}

/** What a judge is asked with; its clock stands still. */
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

/** A reply that was cut at the limit of tokens. */
export function cutOff(content: string, thinking = ""): readonly ChatChunk[] {
  return [
    ...(thinking === "" ? [] : [muse(thinking)]),
    ...(content === "" ? [] : [say(content)]),
    end("length"),
  ];
}

/** A grade as a judge that is bound to a form writes it. */
export function graded(score: unknown, feedback = "Well said."): string {
  return JSON.stringify({ feedback, score });
}

/** A verdict as a judge that is bound to a form writes it. */
export function preferred(winner: unknown, feedback = "It says more."): string {
  return JSON.stringify({ feedback, winner });
}

/** A signal that never fires. */
export const NEVER = new AbortController().signal;

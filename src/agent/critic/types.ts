import type { JudgeKind, PairwiseOrder } from "../events-judged.ts";
import type { Failure, Result } from "../failure.ts";
import type { Gate } from "../gate.ts";
import type { ChatModel } from "../models/types.ts";

/** What an answer is graded by: a criterion, and what each grade means. */
export interface Rubric {
  /** As settings and agent files name it: lower case, digits, `-`. */
  readonly name: string;
  /** The question that the judge answers, one or two sentences. */
  readonly criterion: string;
  /** What the grades 1, 2, 3, 4, 5 mean, in this order. */
  readonly levels: readonly [string, string, string, string, string];
  /** Names of the agents whose answers it is for; empty: all. */
  readonly agents: readonly string[];
  /** `built-in`, or the URI of its file. */
  readonly source: string;
}

/** An answer to be graded. All texts are untrusted: they are fenced from the judge's instructions. */
export interface GradeRequest {
  readonly question: string;
  readonly answer: string;
  /** What the answer was given to work with: pages, memories, files; empty where it had nothing. */
  readonly sources: string;
  /** A reference answer, where there is one. */
  readonly reference?: string;
  readonly rubric: Rubric;
}

/** Two answers to one question. */
export interface PairRequest {
  readonly question: string;
  readonly a: string;
  readonly b: string;
  readonly reference?: string;
  readonly rubric: Rubric;
}

/** What a judgement is made with. */
export interface JudgeDeps {
  readonly model: ChatModel;
  /** Entered with low priority for each request. */
  readonly gate: Gate;
  /** What every agent sends to this model, so that nothing is loaded anew. */
  readonly runner: { readonly contextLength: number; readonly keepAlive: string | number };
  /** Milliseconds since some fixed moment. */
  readonly now: () => number;
  /** Samples of a grade; at least 1. */
  readonly samples: number;
}

/** What judging cost. */
export interface JudgeCost {
  readonly attempts: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** From the first request to the last word, waiting at the gate left out. */
  readonly durationMs: number;
}

/** A grade, or in words why there is none. */
export interface GradeOutcome extends JudgeCost {
  readonly judge: JudgeKind;
  /** The median of those that gave a grade. */
  readonly score: number | null;
  readonly feedback: string;
  /** Of each sample, in order. */
  readonly scores: readonly (number | null)[];
  /** Highest less lowest of those that gave a grade. */
  readonly spread: number;
  /** Why there is none: "not graded (cut off)" and the like. */
  readonly ungraded?: string;
  /** The judge's own words where nothing could be read from them, cut. */
  readonly raw?: string;
}

/** A verdict over both orders. */
export interface PairOutcome extends JudgeCost {
  readonly judge: JudgeKind;
  /** Null: a tie, also where the judge went by the place or could not be read. */
  readonly winner: "A" | "B" | null;
  readonly feedback: string;
  /** None where the answers are the same. */
  readonly orders: readonly PairwiseOrder[];
  readonly orderBound: boolean;
  readonly raw?: string;
}

/**
 * Grades answers and compares them. Never throws; fails only where the judge could not be asked (no model, no server,
 * `cancelled`); what it says that can't be read is an outcome without a grade. Stops within a moment of the signal.
 */
export interface Judge {
  grade(request: GradeRequest, deps: JudgeDeps, signal: AbortSignal): Promise<Result<GradeOutcome>>;
  compare(request: PairRequest, deps: JudgeDeps, signal: AbortSignal): Promise<Result<PairOutcome>>;
}

/** The rubrics there are, and what is wrong with files that are none. */
export interface RubricCatalog {
  readonly rubrics: readonly Rubric[];
  readonly problems: readonly { readonly source: string; readonly problem: Failure }[];
}

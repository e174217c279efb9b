import type { Event, UsageData } from "./event-base.ts";
import type { Failure } from "./failure.ts";

/** Tokens of one request by what they are for; estimates, calibrated by what the server counted before. */
export interface ContextParts {
  readonly system: number;
  readonly tools: number;
  readonly history: number;
  readonly memory: number;
  readonly references: number;
  readonly question: number;
  /** Calls and results of the turn itself. */
  readonly steps: number;
  /** Kept for the answer. */
  readonly answer: number;
}
/** How the context is shared out, before each model call. */
export type ContextBudget = Event<
  "context.budget",
  {
    readonly "conclave.context_length": number;
    readonly parts: ContextParts;
    /** Tokens that the server counts for each one of the plain estimate; 1 before it was asked. */
    readonly calibration: number;
  }
>;
/** Turns that one `context.compacted` names at most, the newest; one that names so many may stand for older ones too. */
export const MAX_COMPACTED_TURNS = 200;

/** Something was taken out of what is sent, so that it fits: what, and how much. */
export type ContextCompacted = Event<
  "context.compacted",
  UsageData & {
    readonly how: "results" | "thinking" | "summary" | "turns";
    /** Estimated tokens before and after. */
    readonly before: number;
    readonly after: number;
    /** The turns whose text is no longer sent as it was. */
    readonly turns: readonly string[];
    /** What stands in their place. */
    readonly summary?: string;
    readonly "gen_ai.request.model"?: string;
    /** The context that it was done for: a summary holds for this length only. */
    readonly "conclave.context_length"?: number;
    /** Why there is no summary; then `after` is as `before`, and the oldest turns are left out. */
    readonly error?: Failure;
  }
>;
/** The summary of a session was taken back: what it replaced is sent again. */
export type ContextRestored = Event<"context.restored", { readonly compaction: string }>;

/*
 * A fork: a turn that branches off an earlier one of its session. The earlier one stays as it is; the fork tells in its
 * own events what it took over from it, and goes on from there.
 */

import type { Think } from "./models/types.ts";

/** What a user may change before a turn runs on. */
export type ForkPart =
  /** The question. */
  | "question"
  /** The system message: the rules. */
  | "system"
  /** What was recalled and stood before the question. */
  | "recalled"
  /** What stands behind the question for this agent: its persona. */
  | "tail"
  /** What one agent of a committee said. */
  | "answer"
  /** What a tool gave to the model. */
  | "tool_result"
  /** The arguments of a tool's call, as JSON: the call is made anew with them. */
  | "tool_arguments";

/** One change. */
export interface ForkEdit {
  readonly part: ForkPart;
  /** The event whose text it changes: `tool.result`, `tool.request`, `model.start`, or the agent's `agent.end`. */
  readonly eventId?: string;
  readonly text: string;
}

/** What a user chose for a fork; what is left out is as it was. */
export interface ForkOptions {
  readonly model?: string;
  readonly temperature?: number;
  readonly think?: Think;
  /** One agent answers, this one. */
  readonly agent?: string;
  /** True: a committee answers; false: one agent does. */
  readonly committee?: boolean;
}

/** What a turn branches off, and what was changed. */
export interface TurnFork {
  /** The turn it branches off. */
  readonly turnId: string;
  /**
   * The event of that turn at which it goes its own way: a step or its request that is asked anew, a tool's call whose
   * result or arguments are others, an agent whose answer is another; left out: at its question.
   */
  readonly eventId?: string;
  readonly edits: readonly ForkEdit[];
  readonly options?: ForkOptions;
}

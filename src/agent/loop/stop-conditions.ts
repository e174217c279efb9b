import type { WarningCode } from "../events.ts";
import type { JsonObject } from "../models/types.ts";

/** What a stop condition looks at, after each step. */
export interface Progress {
  /** Steps whose calls were answered, or whose output was of no use. */
  readonly steps: number;
  /** For each call (name and arguments), in how many steps it was made. */
  readonly repeats: ReadonlyMap<string, number>;
  /** Input and output tokens of the turn so far. */
  readonly tokens: number;
  readonly signal: AbortSignal;
}

/** Why the loop stops: with one of the warnings it asks once more without tools, when cancelled it just ends. */
export type StopReason =
  | { readonly code: "cancelled" }
  | {
      readonly code: Extract<WarningCode, "step_limit" | "repeated_call" | "token_budget">;
      readonly message: string;
      readonly detail: JsonObject;
    };

/** Gives a reason to stop, or nothing. */
export type StopCondition = (progress: Progress) => StopReason | undefined;

/** Stops after `limit` steps with tools. */
export function maxSteps(limit: number): StopCondition {
  return ({ steps }) =>
    steps < limit
      ? undefined
      : {
          code: "step_limit",
          message: `The limit of ${limit} steps is reached; the model is asked to answer with what it has.`,
          detail: { limit, steps },
        };
}

/** Stops when the same call was made in `limit` steps, whether it succeeded or not. */
export function repeatedCall(limit: number): StopCondition {
  return ({ repeats }) => {
    for (const [call, times] of repeats) {
      if (times >= limit) {
        const name = call.slice(0, call.indexOf(" "));
        return {
          code: "repeated_call",
          message: `The model called ${name} ${times} times with the same arguments; it is asked to answer with what it has.`,
          detail: { name, times },
        };
      }
    }
    return undefined;
  };
}

/** Stops when the turn has used `limit` tokens, input and output together; 0 means no limit. */
export function tokenBudget(limit: number): StopCondition {
  return ({ tokens }) =>
    limit <= 0 || tokens < limit
      ? undefined
      : {
          code: "token_budget",
          message: `The turn has used ${tokens} of ${limit} tokens; the model is asked to answer with what it has.`,
          detail: { limit, tokens },
        };
}

/** Stops when the turn was cancelled. */
export const cancelled: StopCondition = ({ signal }) => (signal.aborted ? { code: "cancelled" } : undefined);

/** The first reason that one of the conditions gives, in their order. */
export function firstOf(...conditions: readonly StopCondition[]): StopCondition {
  return (progress) => {
    for (const condition of conditions) {
      const reason = condition(progress);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

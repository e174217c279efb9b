import type { z } from "zod";
import type { Failure } from "./failure.ts";
import type { Json, ToolSchema } from "./models/types.ts";

/** Where a statement of a tool comes from, shown as a reference under the answer. */
export interface Source {
  /** http(s) address, or `memory:<episode id>`. */
  readonly uri: string;
  readonly title: string;
}

/** What people see of a tool's result and the model does not: scores, addresses, timings. */
export interface ToolDetails {
  /** One line for a folded cell, such as `3 of 41 given`. */
  readonly summary: string;
  /** What the user is told of a result that is the answer itself, such as "Saved."; left out: there is more to say. */
  readonly answer?: string;
  readonly sources?: readonly Source[];
  /** Anything else worth showing, by name. */
  readonly data?: { readonly [key: string]: Json };
}

/** A tool's result: `content` for the model, `details` for the reader. */
export type ToolOutcome =
  | { readonly ok: true; readonly content: string; readonly details: ToolDetails }
  | { readonly ok: false; readonly failure: Failure; readonly retryable: boolean };

/** What a tool is given beside its arguments. */
export interface ToolContext {
  /** Fires on cancel and when the tool's time is up. A tool stops within a moment of it. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly turnId: string;
  readonly agent: string;
  /** The turn's question, as the user put it. */
  readonly question: string;
  /** Earlier turns that the model is shown as they are: there is no use in recalling them. */
  readonly heldTurnIds?: readonly string[];
  /** Asks another agent, as a part of this call; absent where there is none to ask. Must not throw. */
  readonly delegate?: (request: Delegation) => Promise<ToolOutcome>;
}

/** A question for another agent. */
export interface Delegation {
  readonly agent: string;
  readonly question: string;
  readonly signal: AbortSignal;
}

/**
 * A tool an agent may call. `run` must not throw and returns failures as values; `retryable` says whether the same
 * call may do better a moment later (only read-only tools are tried again).
 */
export interface Tool<A = unknown> {
  /** snake_case, as the model calls it. */
  readonly name: string;
  /** Other names that models use for it; accepted, never advertised. */
  readonly aliases?: readonly string[];
  readonly description: string;
  /** Gives the type, the check and the JSON schema of the arguments. */
  readonly parameters: z.ZodType<A>;
  /** True when calling it changes nothing: such calls of one message run in parallel. */
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  run(args: A, context: ToolContext): Promise<ToolOutcome>;
}

/** The tools of one turn, in a fixed order. The registry of `src/tools/` makes one; the loop knows only this. */
export interface ToolSet {
  readonly schemas: readonly ToolSchema[];
  /** Tools, found like the others, that only an agent is told of whose file names them; left out: none. */
  readonly byName?: readonly ToolSchema[];
  /** Finds a tool by name or alias. */
  find(name: string): Tool | undefined;
}

/** No tools at all. */
export const NO_TOOLS: ToolSet = { schemas: [], find: () => undefined };

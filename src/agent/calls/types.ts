import type { GivenResults } from "../budget/repeats.ts";
import type { Emitter } from "../emitter.ts";
import type { Failure } from "../failure.ts";
import type { AgentTape, CallTape } from "../fork/tapes.ts";
import type { Identity } from "../ids.ts";
import type { Json } from "../models/types.ts";
import type { ReadCall } from "../protocol.ts";
import type { Timer } from "../timer.ts";
import type { Delegation, Source, ToolOutcome, ToolSet } from "../tool.ts";

/** What the calls of one message are run with. */
export interface CallsContext {
  readonly tools: ToolSet;
  readonly emitter: Emitter;
  readonly identity: Identity;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly stepId: string;
  readonly question: string;
  /** Earlier turns that the model is shown. */
  readonly heldTurnIds: readonly string[];
  /** One after the other, whatever the tools are. */
  readonly inOrder: boolean;
  /** Tokens that one result may take. */
  readonly room: number;
  readonly recoveredFrom?: "text" | "thinking";
  /** What was given before, so that the same call is not made twice; left out: every call is made. */
  readonly given?: GivenResults;
  /** They are made with an agent's output; no model asked for them. */
  readonly chained?: true;
  /** Asks another agent as a part of the call with this event's id. Must not throw. */
  readonly delegate?: (request: Delegation, eventId: string, tape?: AgentTape) => Promise<ToolOutcome>;
  /** In a fork: what is played instead of being run, by the id of the call. */
  readonly tapes?: ReadonlyMap<string, CallTape>;
}

/** A call with what the model is given for it. */
export interface AnsweredToolCall {
  readonly call: ReadCall;
  /** The tool's own name where it has one, else the name that was called. */
  readonly name: string;
  /** The arguments as they were run, or as they came when they were refused. */
  readonly shown: Json;
  readonly content: string;
  readonly sources: readonly Source[];
  readonly timedOut: boolean;
  /** See `ToolDetails.answer`. */
  readonly answer?: string;
  readonly failure?: Failure;
}

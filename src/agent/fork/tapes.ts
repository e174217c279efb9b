import type { EventOf, ToolProtocol, TurnEvent } from "../events.ts";
import type { ReadCall } from "../protocol.ts";
import type { ChatMessage } from "../models/types.ts";

/*
 * What a fork takes over from the turn that it branches off. Tapes are played instead of asking models and running
 * tools: the loop comes to the state in which it was then, and goes on by itself.
 */

/** A call of a step that is played. */
export interface CallTape {
  readonly request: EventOf<"tool.request">;
  /** What it gave; left out: the call is made anew, with the arguments of `request`. */
  readonly result?: EventOf<"tool.result">;
  /** What happened under it, such as the work of an agent that was asked: repeated as it was. */
  readonly under: readonly TurnEvent[];
  /** Made anew: where the agent that it asks goes on. */
  readonly delegate?: AgentTape;
}

/** A step that is played. */
export interface StepTape {
  /** The id of its event. */
  readonly id: string;
  /** How tools were offered in it. */
  readonly protocol: ToolProtocol;
  /** The model's part; left out: it was not asked, the calls were made for it. */
  readonly asked?: AskedTape;
  /** The calls of the step, with the ids under which they were made. */
  readonly calls: readonly ReadCall[];
  /** By the id of the call. */
  readonly tapes: ReadonlyMap<string, CallTape>;
}

/** What a model was asked in a step, and what it said. */
export interface AskedTape {
  readonly request: EventOf<"model.start">;
  readonly reply: EventOf<"model.end">;
  /** What was told beside: before the request, and after the reply. */
  readonly before: readonly TurnEvent[];
  readonly after: readonly TurnEvent[];
}

/** The work of one agent up to where it goes on by itself. */
export interface AgentTape {
  /** The id of its event. */
  readonly agentId: string;
  /** Its name. */
  readonly agent: string;
  readonly steps: readonly StepTape[];
  /** The question as it was sent to it, with what stands behind it; left out: it is put together anew. */
  readonly question?: ChatMessage;
  /** What was recalled for a question apart from the turn's. */
  readonly recalled?: KeptRecalled;
  /** How tools were offered to it where it goes on by itself, and by which model. */
  readonly protocol?: { readonly name: ToolProtocol; readonly model: string };
}

/** What stood before the question in the prompts of the turn. What is left out is found anew. */
export interface KeptStart {
  readonly system?: ChatMessage;
  /** The earlier turns as they were sent; undefined where a protocol had put them in its own words. */
  readonly past?: readonly ChatMessage[];
  readonly recalled?: KeptRecalled;
  /** Names of the tools that were offered. */
  readonly offered?: ReadonlySet<string>;
}

/** What was recalled, and what was told of it; no message: nothing was. */
export interface KeptRecalled {
  readonly message?: ChatMessage;
  readonly card?: EventOf<"memory.card">;
}

import type { Event, Outcome, ToolProtocol, UsageData } from "./event-base.ts";
import type { Failure } from "./failure.ts";
import type { Json, JsonObject, ToolSchema } from "./models/types.ts";

/* An agent within a turn: what it is offered, the states it goes through, and what it gives. */

/** The states of an agent; see `transitions.ts`. */
export type AgentState =
  "idle" | "receiving" | "generating" | "dispatching_tool" | "waiting_for_tool" | "publishing";

/** What moves an agent from one state to another. */
export type AgentTrigger =
  "receive_query" | "start_generation" | "dispatch_tool" | "tool_result" | "tool_timeout" | "finish" | "fail";

/** What an agent does in its turn. */
export type AgentRole =
  "answerer" | "persona" | "synthesizer" | "delegate" | "judge" | "summariser" | "shadow";

/** A call that ran, as `response.generation` lists it. */
export interface AnsweredCall {
  readonly name: string;
  readonly arguments: Json;
  /** What the model was given for it, an error's text included. */
  readonly result: string;
}

/**
 * An agent begins to work on the turn (span `invoke_agent`). It stands under the turn, its round, its committee, or the
 * call of a tool that delegated to it.
 */
export type AgentStart = Event<
  "agent.start",
  {
    readonly "gen_ai.agent.name": string;
    readonly "gen_ai.request.model": string;
    /** Left out: it answers the turn alone. */
    readonly "conclave.role"?: AgentRole;
    /** Address of the server, where it is not the first one. */
    readonly "conclave.host"?: string;
    /** Which sample this is, from 1, where one agent is asked several times. */
    readonly "conclave.sample"?: number;
  }
>;

/** A legal change of an agent's state. */
export type AgentTransition = Event<
  "agent.transition",
  { readonly from: AgentState; readonly to: AgentState; readonly trigger: AgentTrigger }
>;

/** The tools that the agent is offered, once a turn. */
export type ToolSchemaEvent = Event<
  "tool.schema",
  {
    readonly tools: readonly ToolSchema[];
    readonly "conclave.protocol": ToolProtocol;
    /** Names of tools that it is not told of: others fit the question better. */
    readonly "conclave.left_out"?: readonly string[];
    /** Who searches memory for the question: the model, or Conclave before it is asked; and why. */
    readonly "conclave.recall"?: "model" | "first";
    readonly "conclave.recall_reason"?: string;
  }
>;

/** The object that a structured agent gave, or why it is none. `schema` is what it was checked against. */
export type OutputStructured = Event<
  "output.structured",
  {
    readonly schema: JsonObject;
    readonly value?: Json;
    /** It was asked once more, with the validator's words. */
    readonly repaired: boolean;
    readonly error?: Failure;
  }
>;

/** All that one agent produced. */
export type ResponseGeneration = Event<
  "response.generation",
  { readonly answer: string; readonly thinking: string; readonly tool_calls: readonly AnsweredCall[] }
>;

/** An agent is done. What those used that it asked (`ask_agent`) is part of its own use. */
export type AgentEnd = Event<
  "agent.end",
  UsageData & { readonly outcome: Outcome; readonly "conclave.duration_ms": number; readonly error?: Failure }
>;

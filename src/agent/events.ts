import type { Event, EventBase, Outcome, UsageData } from "./event-base.ts";
import type {
  CommitteeEnd,
  CommitteeRanking,
  CommitteeStart,
  RoundEnd,
  RoundStart,
} from "./events-committee.ts";
import type { MemoryCardEvent, MemoryIngested, MemoryLearned } from "./events-after.ts";
import type { ContextBudget, ContextCompacted, ContextRestored } from "./events-context.ts";
import type { TurnFork } from "./events-fork.ts";
import type { JudgedEvent } from "./events-judged.ts";
import type { SandboxEnd, SandboxMessage, SandboxStart } from "./events-sandbox.ts";
import type { Failure } from "./failure.ts";
import type { ChatMessage, FinishReason, Json, JsonObject, ToolCall, ToolSchema } from "./models/types.ts";
import type { Source, ToolDetails } from "./tool.ts";

export type { EventBase, Outcome, UsageData };

/** The version of the event schema, written in the first line of every log. */
export const SCHEMA_VERSION = 1;

/** Which way a turn came in. */
export type Door = "chat" | "command" | "panel" | "cli" | "notebook" | "test";

/** How tool calls were asked for and read. `none`: the model gets no tools. */
export type ToolProtocol = "native" | "constrained" | "react" | "none";

/** The states of an agent; see `transitions.ts`. */
export type AgentState =
  "idle" | "receiving" | "generating" | "dispatching_tool" | "waiting_for_tool" | "publishing";

/** What moves an agent from one state to another. */
export type AgentTrigger =
  "receive_query" | "start_generation" | "dispatch_tool" | "tool_result" | "tool_timeout" | "finish" | "fail";

/** Things worth knowing that did not stop the turn. */
export type WarningCode =
  | "step_limit"
  | "repeated_call"
  | "token_budget"
  | "protocol_changed"
  | "context_cut"
  | "context_changed"
  | "answer_cut"
  | "references_cut"
  | "memory_unavailable"
  | "format_broken"
  | "web_off"
  | "retried"
  | "agent_unknown"
  | "tool_unknown"
  | "agent_failed"
  | "committee_too_small"
  | "no_synthesis"
  | "stopped_early"
  | "output_invalid"
  | "chained_tool"
  | "delegation_refused"
  | "prompt_truncated";

/** What an agent does in its turn. */
export type AgentRole =
  "answerer" | "persona" | "synthesizer" | "delegate" | "judge" | "summariser" | "shadow";

/** A file or selection the user put beside the question. */
export interface Reference {
  /** What to call it: a path relative to the workspace, with lines for a selection. */
  readonly label: string;
  readonly uri: string;
  readonly text: string;
}

/** A call that ran, as `response.generation` lists it. */
export interface AnsweredCall {
  readonly name: string;
  readonly arguments: Json;
  /** What the model was given for it, an error's text included. */
  readonly result: string;
}

/**
 * A turn begins: `parent_turn_id` is the turn it follows in its conversation, null for the first, `unknown` when the
 * earlier turns could not be read.
 */
export type TurnStart = Event<
  "turn.start",
  {
    readonly "gen_ai.conversation.id": string;
    readonly "conclave.parent_turn_id": string | null;
    readonly "conclave.door": Door;
    /** Nothing of it is remembered, and its log stays in the window. */
    readonly "conclave.private"?: true;
    /** Nobody asked for it, and nothing of it is remembered. */
    readonly "conclave.background"?: true;
    /** It was taken from a file of somebody else: which, and when (milliseconds since the epoch). */
    readonly "conclave.imported"?: { readonly from: string; readonly at: number };
    /** It branches off an earlier turn, which stays as it is. */
    readonly "conclave.fork"?: TurnFork;
  }
>;
/** What was asked, as the user put it. */
export type QueryReceived = Event<
  "query.received",
  { readonly query: string; readonly references?: readonly Reference[] }
>;
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
  }
>;
/** One model call and the tool calls it asks for. `index` counts from 1. */
export type StepStart = Event<
  "step.start",
  {
    readonly index: number;
    readonly "conclave.protocol": ToolProtocol;
    readonly "conclave.last_step": boolean;
  }
>;
/** A request is sent to a model (span `chat {model}`): exactly what it is given. */
export type ModelStart = Event<
  "model.start",
  {
    readonly "gen_ai.operation.name": "chat";
    readonly "gen_ai.provider.name": string;
    readonly "gen_ai.request.model": string;
    readonly "gen_ai.request.temperature"?: number;
    readonly "gen_ai.request.seed"?: number;
    readonly "gen_ai.request.max_tokens": number;
    readonly "conclave.context_length": number;
    readonly "conclave.think": string;
    readonly "conclave.messages": readonly ChatMessage[];
    /** In the log only: the messages follow the first `count` ones of the request `id`. */
    readonly "conclave.messages_after"?: { readonly id: string; readonly count: number };
    readonly "conclave.format"?: JsonObject;
    /** How many of the agent's tools (`tool.schema`: all of them, in that order) went with it in the server's own form. */
    readonly "conclave.tools_sent"?: number;
    /** What it is sent with beside messages, tools and format, in the server's own form and order. */
    readonly "conclave.envelope"?: JsonObject;
  }
>;
/**
 * Text arrives. Never written to the log: `model.end` holds the whole. With `retract` the answer text of this call
 * that was shown so far was thinking after all: a view clears it, the text follows on the channel `thinking`.
 */
export type ModelDelta = Event<
  "model.delta",
  { readonly channel: "thinking" | "answer"; readonly text: string; readonly retract?: true }
>;
/** A model call ended, well or with `error`; what had arrived until then is kept. Durations in milliseconds. */
export type ModelEnd = Event<
  "model.end",
  UsageData & {
    readonly content: string;
    readonly thinking: string;
    readonly tool_calls: readonly ToolCall[];
    readonly "gen_ai.response.model": string;
    readonly "gen_ai.response.finish_reasons": readonly FinishReason[];
    readonly "gen_ai.response.time_to_first_chunk"?: number;
    readonly "conclave.duration_ms": number;
    readonly "conclave.load_ms"?: number;
    readonly "conclave.prompt_ms"?: number;
    readonly "conclave.generation_ms"?: number;
    /** From the first chunk to the end of thinking; absent when the model did not think. */
    readonly "conclave.thinking_ms"?: number;
    /** How calls were found when the model did not make them natively. */
    readonly "conclave.recovered_from"?: "text" | "thinking";
    /** It can't be used: what the model is told of that. */
    readonly "conclave.broken"?: string;
    /** What the request was sent with, where `model.start` does not say it, or not rightly. */
    readonly "conclave.envelope"?: JsonObject;
    readonly error?: Failure;
  }
>;
/** A tool is called (span `execute_tool {name}`). */
export type ToolRequest = Event<
  "tool.request",
  {
    readonly name: string;
    readonly arguments: Json;
    readonly "gen_ai.tool.call.id": string;
    /** What was mended in the arguments before the call, in words. */
    readonly "conclave.mended"?: readonly string[];
    /** Called with an agent's structured output, not asked for by a model. */
    readonly "conclave.chained"?: true;
    readonly "conclave.recovered_from"?: "text" | "thinking";
  }
>;
/** A tool's call ended: `result` is for the model, `details` for people. */
export type ToolResult = Event<
  "tool.result",
  {
    readonly name: string;
    readonly result?: string;
    readonly details?: ToolDetails;
    readonly error?: Failure;
    readonly "conclave.duration_ms": number;
    /** How often it was tried. */
    readonly "conclave.attempts": number;
  }
>;
/** A step ended. */
export type StepEnd = Event<"step.end", { readonly index: number }>;
/** Something to know: numbers are in `detail`. */
export type Warning = Event<
  "warning",
  { readonly code: WarningCode; readonly message: string; readonly detail?: JsonObject }
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
/** Question and answer of the turn, as the conversation goes on with them. */
export type AnswerDialog = Event<
  "answer.dialog",
  { readonly query: string; readonly answer: string; readonly "conclave.sources"?: readonly Source[] }
>;
/** A turn ended. `messages` is what it adds to the conversation: later turns start from these. */
export type TurnEnd = Event<
  "turn.end",
  UsageData & {
    readonly outcome: Outcome;
    readonly "conclave.duration_ms": number;
    readonly "conclave.steps": number;
    readonly "conclave.messages": readonly ChatMessage[];
    readonly error?: Failure;
  }
>;
/** Everything that can happen in and around a turn. */
export type TurnEvent =
  | TurnStart
  | QueryReceived
  | AgentStart
  | AgentTransition
  | ToolSchemaEvent
  | StepStart
  | ModelStart
  | ModelDelta
  | ModelEnd
  | ToolRequest
  | ToolResult
  | StepEnd
  | Warning
  | CommitteeStart
  | RoundStart
  | RoundEnd
  | CommitteeRanking
  | CommitteeEnd
  | OutputStructured
  | ContextBudget
  | ContextCompacted
  | ContextRestored
  | SandboxStart
  | SandboxMessage
  | SandboxEnd
  | ResponseGeneration
  | AgentEnd
  | AnswerDialog
  | TurnEnd
  | MemoryIngested
  | MemoryLearned
  | MemoryCardEvent
  | JudgedEvent;

/** The name of a kind of event. */
export type TurnEventType = TurnEvent["type"];

/** Events by their names. */
export type EventOf<Type extends TurnEventType> = Extract<TurnEvent, { readonly type: Type }>;

/** Takes events as they happen. Must not throw. */
export type EventSink = (event: TurnEvent) => void;

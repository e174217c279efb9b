import type { Event, ToolProtocol, UsageData } from "./event-base.ts";
import type { Failure } from "./failure.ts";
import type { ChatMessage, FinishReason, Json, JsonObject, ToolCall } from "./models/types.ts";
import type { ToolDetails } from "./tool.ts";

/* The steps of an agent: each is a call of its model and the calls of tools that the model asks for. */

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

/**
 * The model was asked a question of one word that decides how the turn goes on, such as whether it knows the answer by
 * itself, and which memory answers the question. It stands under the agent, before its first step.
 */
export type ModelCheck = Event<
  "model.check",
  UsageData & {
    /** What it was asked, without the texts that it was asked about. */
    readonly question: string;
    /** How likely it found a yes, from 0 to 1; left out where it said neither yes nor no. */
    readonly likelihood?: number;
    /** From which likelihood on that is taken for a yes. */
    readonly from: number;
    /** The memory that it was asked about: a part of the agent's `memory.card`. */
    readonly episodeId?: string;
    readonly "conclave.duration_ms": number;
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

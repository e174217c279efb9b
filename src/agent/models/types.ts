import type { Failure, Result } from "../failure.ts";

/** A JSON value as it travels between model, tools and log. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** A call of a tool as the model asked for it; arguments are not yet validated. */
export interface ToolCall {
  /** The server's id, empty out of a client when it sent none: the loop then gives one. Unique in a turn. */
  readonly id: string;
  readonly name: string;
  /** An object for every well-formed call; anything else is for the validator to refuse. */
  readonly arguments: Json;
}

/**
 * Where a piece of a prompt came from:
 * `rules`: the base prompt, the product's or the user's own; `project_rules`: what the workspace says; `trust`: that
 * material is no instruction; `tools`: which tools there are and how they are called, where a protocol says it in words;
 * `summary`: what stands in the place of earlier turns; `memory`: what was recalled; `references`: what was attached;
 * `question`: what was asked; `others`: what other agents said; `task`: what a committee wants of its members;
 * `persona`: the agent's own instruction; `form`: the form that its answer is to have; `result`: what a tool gave, told
 * as a user's message; `note`: what the model was told on the way, such as that its output could not be read.
 */
export type PartSource =
  | "rules"
  | "project_rules"
  | "trust"
  | "tools"
  | "summary"
  | "memory"
  | "references"
  | "question"
  | "others"
  | "task"
  | "persona"
  | "form"
  | "result"
  | "note";

/** A piece of a message's content: where it came from, and how long it is in UTF-16 units. */
export interface MessagePart {
  readonly source: PartSource;
  readonly length: number;
}

/** What messages that we wrote ourselves tell of where their content came from: never sent, and no part of any estimate. */
interface Sourced {
  /** In order; the lengths make up the length of the content. Left out: nobody said. */
  readonly parts?: readonly MessagePart[];
}

/** One message of a conversation, in our own form; clients convert it at the boundary. */
export type ChatMessage =
  | ({ readonly role: "system"; readonly content: string } & Sourced)
  | ({ readonly role: "user"; readonly content: string } & Sourced)
  | {
      readonly role: "assistant";
      readonly content: string;
      /** Only within the loop of its own turn; later turns never send it. */
      readonly thinking?: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  | {
      readonly role: "tool";
      readonly toolName: string;
      readonly toolCallId: string;
      readonly content: string;
    };

/** What a model said, or asked for. */
export type AssistantMessage = Extract<ChatMessage, { readonly role: "assistant" }>;

/** A tool as the model is told of it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments, `type: "object"` at the top. */
  readonly parameters: JsonObject;
}

/** How hard a model may think. Levels are for models that take them (gpt-oss); others read them as `true`. */
export type Think = boolean | "low" | "medium" | "high" | "max";

/**
 * What one model is always sent. A change of one of the runner options reloads the model on Ollama, so every
 * agent, the critic and memory send the same to the same model.
 */
export interface RunnerOptions {
  /** Context length in tokens; already capped by the model's own. */
  readonly contextLength: number;
  /** How long the server keeps the model loaded: a duration such as `30m`, seconds, or -1 for ever. */
  readonly keepAlive: string | number;
}

/** One request to a model. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSchema[];
  /** JSON schema that the answer is constrained to. Not shown to the model: say it in the prompt too. */
  readonly format?: JsonObject;
  /** Left out means "off": it is always sent to a model that can think. */
  readonly think?: Think;
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  /** Upper bound of output tokens (thinking included). */
  readonly maxTokens: number;
  readonly stop?: readonly string[];
  /** How many of the likeliest tokens are told for each place of the output. Left out: none; not all servers can. */
  readonly topLogprobs?: number;
  readonly runner: RunnerOptions;
}

/** A token and the natural logarithm of its likelihood. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
}

/** The token that was put at a place of the output, and the likeliest ones there, the likeliest first. */
export interface PlacedLogprob extends TokenLogprob {
  readonly top: readonly TokenLogprob[];
}

/** Why a model stopped. */
export type FinishReason = "stop" | "length" | "load" | "unload" | "unknown";

/** What one model call cost. Durations in milliseconds, missing ones were not reported. */
export interface ModelUsage {
  /** Prompt tokens, cached ones included. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalMs?: number;
  readonly loadMs?: number;
  /** Time spent on the prompt tokens that were not cached. */
  readonly promptMs?: number;
  readonly generationMs?: number;
  /** From sending the request to the first chunk. */
  readonly firstChunkMs?: number;
}

/**
 * What a model streams. Any number of deltas and calls, then exactly one `end` or one `failure`, always last.
 * Text deltas are never empty and may hold several tokens (all that one read of the socket brought).
 *
 * `retract` means: all `content` of this call so far was thinking. Some models leak their thinking into the answer
 * with the opening tag swallowed, so that only the closing tag tells, after text was streamed. A reader moves what it
 * has as content to thinking, and starts the answer anew; what follows is the answer.
 *
 * `logprobs` only where the request wants them, and not from every server.
 *
 * `envelope` is what the request was sent with, see `ChatModel`; absent where it was not sent, or that is not known.
 */
export type ChatChunk =
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "content"; readonly text: string }
  | { readonly type: "tool_calls"; readonly calls: readonly ToolCall[] }
  | { readonly type: "retract" }
  | { readonly type: "logprobs"; readonly places: readonly PlacedLogprob[] }
  | {
      readonly type: "end";
      readonly finishReason: FinishReason;
      readonly usage: ModelUsage;
      readonly model: string;
      readonly envelope?: JsonObject;
    }
  | {
      readonly type: "failure";
      readonly failure: Failure;
      readonly usage: ModelUsage;
      readonly envelope?: JsonObject;
    };

/** What a model can do, by its server's word. */
export type Capability = "completion" | "tools" | "thinking" | "vision" | "embedding" | "insert";

/** What is known of a model before it is asked. */
export interface ModelInfo {
  readonly name: string;
  readonly capabilities: readonly Capability[];
  /** The model's own maximum context length in tokens, where the server says. */
  readonly contextLength?: number;
  readonly family?: string;
  /** Such as `8.2B`. */
  readonly parameterSize?: string;
  /** How many parameters it has, where the server says. */
  readonly parameters?: number;
  /** Such as `Q4_K_M`. */
  readonly quantization?: string;
  /** How the server makes a prompt of messages, in Go's template language. */
  readonly template?: string;
}

/**
 * A model that can be talked to.
 *
 * `chat` must not throw and must not reject: every failure is the last chunk of the stream. It stops within a
 * moment of the signal, before headers, while the model loads and in mid-stream, and then yields the failure
 * `cancelled`. Breaking out of the iteration also stops the server.
 */
export interface ChatModel {
  /** The OpenTelemetry `gen_ai.provider.name`, such as `ollama`. */
  readonly provider: string;
  readonly name: string;
  describe(signal: AbortSignal): Promise<Result<ModelInfo>>;
  /** What `describe` would give, where it need not ask for it; left out, or nothing: it has to. */
  known?(): ModelInfo | undefined;
  /**
   * What a request is sent with beside its messages, tools and format: options and the like, in the server's own form
   * and order. Left out, or nothing: that is not known before it is sent.
   */
  envelope?(request: ChatRequest): JsonObject | undefined;
  /** Puts a message that is about to be sent in the server's form, so that `chat` need not. Left out: it does. */
  ready?(message: ChatMessage): void;
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>;
}

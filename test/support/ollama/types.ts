/** What a model can do, by `/api/show`. */
export type WireCapability = "completion" | "tools" | "thinking" | "vision" | "embedding" | "insert";

/** A tool call as it stands in a message on the wire. */
export interface WireToolCall {
  readonly id?: string;
  readonly function: { readonly index?: number; readonly name: string; readonly arguments: unknown };
}

/** A message on the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly WireToolCall[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

/** A tool as a request offers it. */
export interface WireTool {
  readonly type: string;
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

/** The body of `POST /api/chat` after it was found valid. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools: readonly WireTool[];
  readonly stream: boolean;
  readonly format?: unknown;
  readonly options: Readonly<Record<string, unknown>>;
  readonly keep_alive?: string | number;
  readonly think?: boolean | string;
  readonly truncate: boolean;
  readonly logprobs: boolean;
  readonly _debug_render_only: boolean;
}

/** The last line of a chat. Durations in nanoseconds. Zeros are left out on the wire. */
export interface DoneStats {
  readonly done_reason?: "stop" | "length" | "load" | "unload";
  readonly total_duration?: number;
  readonly load_duration?: number;
  readonly prompt_eval_count?: number;
  readonly prompt_eval_duration?: number;
  readonly eval_count?: number;
  readonly eval_duration?: number;
}

/**
 * How lines are put into socket writes: so many lines in one write, or writes of so many bytes whatever they cut
 * through (a line, a character). Each write arrives at the client as a chunk of its own.
 */
export type Framing = { readonly lines: number } | { readonly bytes: number };

/** One thing a scripted reply does. */
export type ReplyStep =
  | { readonly kind: "message"; readonly message: Partial<WireMessage> }
  | { readonly kind: "done"; readonly stats: DoneStats }
  | { readonly kind: "line"; readonly value: unknown }
  | { readonly kind: "raw"; readonly data: string | Uint8Array }
  | { readonly kind: "error"; readonly message: string; readonly status: number }
  | {
      readonly kind: "http";
      readonly status: number;
      readonly body: unknown;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: "wait"; readonly until: Promise<unknown> }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "framing"; readonly framing: Framing }
  | { readonly kind: "headers" }
  | { readonly kind: "destroy" }
  | { readonly kind: "end" };

/** The steps of a reply. One without `done`, `error`, `http`, `destroy` or `end` is finished with a `done` line. */
export type ReplySteps = Iterable<ReplyStep> | AsyncIterable<ReplyStep>;

/** A reply: its steps, or a function that makes them from the request. */
export type Reply = ReplySteps | ((request: ChatRequestView) => ReplySteps | Promise<ReplySteps>);

/** A chat request as a script sees it. */
export interface ChatRequestView {
  readonly body: ChatBody;
  readonly record: RecordedRequest;
  /** How many chat requests the server has taken, this one included. */
  readonly count: number;
}

/** How a request ended: answered to its last byte, or given up by the client (or cut by the server). */
export type RequestEnd = "finished" | "aborted";

/** A request as the server saw it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came. */
  readonly text: string;
  /** The parsed body; undefined when it was empty or not JSON. */
  readonly body: unknown;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** True once the client closed the socket before the answer was complete. */
  readonly aborted: boolean;
  /** Settles when the request has ended. */
  readonly ended: Promise<RequestEnd>;
}

/** A model that the server says it has. */
export interface ScriptedModel {
  /** `:latest` is added where there is no tag. */
  readonly name: string;
  /** Default: completion, tools, thinking. */
  readonly capabilities?: readonly WireCapability[];
  /** The model's own context length; default 32,768. */
  readonly contextLength?: number;
  readonly family?: string;
  readonly parameterSize?: string;
  /** Parameters as `/api/show` counts them; default 8e9: a script plays a model that calls tools well. */
  readonly parameters?: number;
  readonly quantization?: string;
  /** Bytes. */
  readonly size?: number;
  /** True for models that take think levels (gpt-oss). */
  readonly thinkLevels?: boolean;
  /** Length of its embeddings; default 384. */
  readonly dimensions?: number;
  /** What a load waits for: no header is sent until it has settled. Called for each load. */
  readonly load?: () => Promise<unknown>;
  /** Loaded from the start. */
  readonly loaded?: boolean;
}

/** What the server does. */
export interface ScriptedOllamaOptions {
  /** Default: `scripted:latest` with everything and `scripted-plain:latest` with completion only. */
  readonly models?: readonly ScriptedModel[];
  /** Answers requests for which nothing is enqueued; undefined means the built-in pseudo model. */
  readonly script?: (request: ChatRequestView) => ReplySteps | Promise<ReplySteps> | undefined;
  /** What `/api/pull` does by model name; a name not listed fails as an unknown name does. */
  readonly pulls?: Readonly<Record<string, PullScript>>;
  /** Requests that run at once per model; others wait without headers. Default: no bound. */
  readonly parallel?: number;
  /** Requests that may wait; more are answered 503. Default 512. */
  readonly maxQueue?: number;
  /** Pause between the tokens of the pseudo model, in milliseconds; default 0. */
  readonly tokenDelayMs?: number;
  /** What `/api/version` says. */
  readonly version?: string;
  /** Port on loopback; default one that is free. */
  readonly port?: number;
  /** Context length where a request sends none; default 4,096. */
  readonly defaultContext?: number;
  /** How many requests are kept in `requests`; the oldest leave first. Default 10,000. */
  readonly keepRequests?: number;
}

/** How a pull goes: its lines, in the steps of a reply, and the model that is there afterwards. */
export interface PullScript {
  readonly steps?: ReplySteps;
  readonly model?: ScriptedModel;
}

/** A load of a model into memory. */
export interface LoadRecord {
  readonly model: string;
  readonly contextLength: number;
  /** `failed` when the client that waited for it gave up. */
  readonly outcome: "loading" | "loaded" | "failed";
}

/** A running scripted server. */
export interface ScriptedOllama {
  readonly host: string;
  readonly port: number;
  /** All requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The bodies of the chat requests so far, as they came. */
  readonly chats: readonly ChatBody[];
  /** All loads so far, oldest first. */
  readonly loads: readonly LoadRecord[];
  /** Adds replies; each chat request takes the next. Once one was enqueued, running out of them is a 500. */
  enqueue(...replies: readonly Reply[]): void;
  /** Adds or replaces a model. */
  addModel(model: ScriptedModel): void;
  removeModel(name: string): void;
  /** Drops a model from memory. */
  unload(name: string): void;
  /** Settles with the request once so many have come to the path (default `/api/chat`, default 1). */
  received(count?: number, path?: string): Promise<RecordedRequest>;
  /** Ends the server and every open connection, as a kill would. */
  close(): Promise<void>;
}

import { CANCELLED, success, type Failure, type Result } from "../failure.ts";
import { isGood, OllamaApi } from "./api.ts";
import { ModelDirectory } from "./capabilities.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { ErrorContext } from "./errors.ts";
import type { OllamaHost } from "./host.ts";
import { LeakSplitter } from "./leaked-tags.ts";
import { ReplyReader } from "./reply.ts";
import type { Exchange, ExchangeRead, TimeLimits } from "./transport.ts";
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest, JsonObject, ModelInfo } from "./types.ts";
import { estimateTokens, toEnvelope, wireBody, wireText, writeMessage, type WireEnvelope } from "./wire.ts";

/** The time limits of a chat unless the user says otherwise: a cold load and a long prompt may take minutes. */
export const DEFAULT_LIMITS: TimeLimits = {
  connectMs: 10_000,
  firstByteMs: 15 * 60_000,
  idleMs: 5 * 60_000,
};

/** Content held back from a model that has leaked its thinking before; the answer is shown late, but clean. */
const HOLD_BACK_CHARACTERS = 16_000;

/** What an Ollama model is made of. */
export interface OllamaChatOptions {
  readonly host: OllamaHost;
  readonly model: string;
  readonly limits?: Partial<TimeLimits>;
  readonly clock?: Clock;
  /** Shared by all models of a server, so that each is asked about once; left out: one of its own. */
  readonly directory?: ModelDirectory;
}

/** One call on its way. */
interface Call {
  readonly exchange: Exchange;
  readonly reply: ReplyReader;
  readonly splitter: LeakSplitter;
  readonly context: ErrorContext;
  /** What the messages are sent with. */
  readonly envelope: WireEnvelope;
  /** When the request was sent, on the clock. */
  readonly began: number;
  readonly signal: AbortSignal;
}

/** A model on an Ollama server. Always streams; one POST a call, never sent again. */
export class OllamaChatModel implements ChatModel {
  readonly provider = "ollama";
  readonly name: string;
  readonly #api: OllamaApi;
  readonly #limits: TimeLimits;
  readonly #clock: Clock;
  readonly #directory: ModelDirectory;
  /** The envelopes of requests that are about to be sent. */
  readonly #envelopes = new WeakMap<
    ChatRequest,
    { readonly of: ModelInfo; readonly envelope: WireEnvelope }
  >();

  constructor(options: OllamaChatOptions) {
    this.name = options.model;
    this.#clock = options.clock ?? systemClock;
    this.#api = new OllamaApi(options.host, this.#clock);
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#directory = options.directory ?? new ModelDirectory(this.#api);
  }

  /** What the model can do, by `/api/show`, kept for a while. */
  describe(signal: AbortSignal): Promise<Result<ModelInfo>> {
    return this.#directory.describe(this.name, signal, this.#limits);
  }

  /** What the model can do, where that is kept. */
  known(): ModelInfo | undefined {
    return this.#directory.known(this.name);
  }

  /** What goes with a request, where the model is known by now. */
  envelope(request: ChatRequest): JsonObject | undefined {
    const info = this.known();
    if (info === undefined) return undefined;
    const envelope = toEnvelope(this.name, request, info);
    this.#envelopes.set(request, { of: info, envelope });
    return envelope;
  }

  /** Puts a message in words before it is sent. */
  ready(message: ChatMessage): void {
    writeMessage(message);
  }

  /** Streams one answer; see `ChatModel`. */
  async *chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk, void, undefined> {
    const known = signal.aborted ? undefined : this.known();
    const described = known === undefined ? await this.describe(signal) : success(known);
    if (!described.ok && !isAboutShowOnly(described.failure)) {
      yield { type: "failure", failure: described.failure, usage: {} };
      return;
    }
    const call = this.#open(request, described.ok ? described.value : undefined, signal);
    try {
      while (!call.reply.isOver()) {
        for (const chunk of await this.#next(call)) {
          // What was read before the signal fired is not shown after it.
          const { envelope } = call;
          if (signal.aborted && chunk.type !== "failure") {
            yield { type: "failure", failure: CANCELLED, usage: {}, envelope };
            return;
          }
          yield chunk.type === "end" || chunk.type === "failure" ? { ...chunk, envelope } : chunk;
        }
      }
    } finally {
      call.exchange.close();
      if (call.splitter.sawLoneClose) this.#directory.markLeaky(this.name);
    }
  }

  #open(request: ChatRequest, info: ModelInfo | undefined, signal: AbortSignal): Call {
    const known = this.#envelopes.get(request);
    // What is told of a request and what it is sent with are the same object, as long as the server says the same.
    const envelope =
      known !== undefined && known.of === info ? known.envelope : toEnvelope(this.name, request, info);
    const context: ErrorContext = {
      ...this.#api.context(this.name),
      contextLength: request.runner.contextLength,
      estimatedTokens: () => estimateTokens(wireBody(request, envelope)),
    };
    const splitter = new LeakSplitter({
      json: request.format !== undefined,
      holdBack: this.#holdBack(request, info),
    });
    const reply = new ReplyReader(splitter, context);
    const exchange = this.#api.open("chat", wireText(request, envelope), this.#limits, signal);
    return { exchange, reply, splitter, context, envelope, began: this.#clock.now(), signal };
  }

  /** The chunks of the next read. Once the last is among them the connection is let go. */
  async #next({ exchange, reply, context, began, signal }: Call): Promise<readonly ChatChunk[]> {
    const read = await exchange.read();
    let chunks: readonly ChatChunk[];
    if (read.type === "fault") chunks = reply.fail(await this.#api.faultOf(read.fault, context, signal));
    else if (!isGood(exchange.status)) chunks = reply.fail(await this.#refusal(exchange, read, context));
    else if (read.type === "end") chunks = reply.end();
    else chunks = reply.push(read.bytes, this.#clock.now() - began);
    if (reply.isOver()) exchange.finish();
    return chunks;
  }

  async #refusal(
    exchange: Exchange,
    read: Exclude<ExchangeRead, { readonly type: "fault" }>,
    context: ErrorContext,
  ): Promise<Failure> {
    const first = read.type === "data" ? read.bytes : Buffer.alloc(0);
    const failure = await this.#api.failure(exchange, first, context);
    const knewWrong = ["model_missing", "tools_unsupported", "thinking_unsupported"].includes(failure.code);
    if (knewWrong) this.#directory.invalidate(this.name);
    return failure;
  }

  /** What the server itself tells apart does not leak: a model that can think, and is asked to. */
  #holdBack(request: ChatRequest, info: ModelInfo | undefined): number {
    const isToldApart =
      info?.capabilities.includes("thinking") === true && (request.think ?? false) !== false;
    return !isToldApart && this.#directory.isLeaky(this.name) ? HOLD_BACK_CHARACTERS : 0;
  }
}

/** A server that answers chats may lack `/api/show` (an older one, a proxy): then the chat itself tells. */
function isAboutShowOnly(failure: Failure): boolean {
  return failure.code === "server_error" || failure.code === "bad_input";
}

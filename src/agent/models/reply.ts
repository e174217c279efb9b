import type { Failure } from "../failure.ts";
import { isJsonObject } from "../json.ts";
import { brokenStream, notOllama, type ErrorContext } from "./errors.ts";
import type { LeakSplitter } from "./leaked-tags.ts";
import { MAX_LINE_BYTES, NdjsonReader } from "./ndjson.ts";
import { readLogprobs } from "./logprobs.ts";
import { fromServer, wordsOf } from "./server-errors.ts";
import { readTextLine, TextLine } from "./text-line.ts";
import type { ChatChunk, FinishReason, Json, ModelUsage, ToolCall } from "./types.ts";

const FINISH_REASONS: ReadonlySet<string> = new Set(["stop", "length", "load", "unload"]);

/**
 * Reads the body of a chat answer: bytes in, chunks out. What one push brings is joined to one delta per channel, in
 * order. The first `end` or `failure` is the last chunk; what follows it is dropped.
 */
export class ReplyReader {
  readonly #lines = new NdjsonReader(MAX_LINE_BYTES, readTextLine);
  readonly #splitter: LeakSplitter;
  readonly #context: ErrorContext;
  #firstChunkMs: number | undefined;
  #isOver = false;
  #seenLine = false;
  #text: { readonly type: "content" | "thinking"; text: string } | undefined;
  #out: ChatChunk[] = [];

  constructor(splitter: LeakSplitter, context: ErrorContext) {
    this.#splitter = splitter;
    this.#context = context;
  }

  /** True once `end` or `failure` was given. */
  isOver(): boolean {
    return this.#isOver;
  }

  /** Takes bytes; `sinceStartMs` is how long ago the request was sent. */
  push(bytes: Uint8Array, sinceStartMs: number): readonly ChatChunk[] {
    this.#firstChunkMs ??= sinceStartMs;
    this.#read(this.#lines.push(bytes));
    return this.#take();
  }

  /** Ends the body: without a `done` before it that is a failure. */
  end(): readonly ChatChunk[] {
    this.#read(this.#lines.end());
    if (!this.#isOver) this.#fail(brokenStream("it ended before the model was done", this.#context));
    return this.#take();
  }

  /** Ends the body with a failure from elsewhere; text that was held back is given out before it. */
  fail(failure: Failure): readonly ChatChunk[] {
    if (!this.#isOver) this.#fail(failure);
    return this.#take();
  }

  #take(): readonly ChatChunk[] {
    this.#flush();
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #read(batch: { readonly values: readonly unknown[]; readonly broken?: string }): void {
    for (const value of batch.values) {
      if (this.#isOver) return;
      this.#line(value);
    }
    if (batch.broken === undefined || this.#isOver) return;
    const { host } = this.#context;
    this.#fail(this.#seenLine ? brokenStream(batch.broken, this.#context) : notOllama(host, batch.broken));
  }

  #line(value: unknown): void {
    this.#seenLine = true;
    if (value instanceof TextLine) this.#message(value);
    else if (!isJsonObject(value)) this.#unknown(value);
    else if ("error" in value) {
      this.#fail(fromServer({ status: 200, words: wordsOf(value) ?? "" }, this.#context));
    } else if (isJsonObject(value["message"]) && isMessage(value["message"])) {
      this.#message(value["message"]);
      this.#logprobs(value["logprobs"]);
      if (value["done"] === true) this.#done(value);
    } else if (value["message"] === undefined && value["done"] === true) this.#done(value);
    else this.#unknown(value);
  }

  #message(message: WireReplyMessage): void {
    if (message.thinking) this.#append("thinking", message.thinking);
    if (message.content) this.#append("content", message.content);
    if (message.tool_calls && message.tool_calls.length > 0) {
      this.#flush();
      this.#out.push({ type: "tool_calls", calls: message.tool_calls.map(toCall) });
    }
  }

  #logprobs(told: unknown): void {
    const places = readLogprobs(told);
    if (places.length === 0) return;
    this.#flush();
    this.#out.push({ type: "logprobs", places });
  }

  #append(type: "content" | "thinking", text: string): void {
    if (this.#text?.type === type) {
      this.#text.text += text;
    } else {
      this.#flush();
      this.#text = { type, text };
    }
  }

  /** Gives out the text gathered so far; content goes through the splitter first. */
  #flush(): void {
    const text = this.#text;
    this.#text = undefined;
    if (text?.type === "thinking") this.#out.push(text);
    else if (text !== undefined) this.#out.push(...this.#splitter.push(text.text));
  }

  #done(value: Record<string, unknown>): void {
    this.#flush();
    this.#out.push(...this.#splitter.end());
    const reason = value["done_reason"];
    this.#out.push({
      type: "end",
      finishReason:
        typeof reason === "string" && FINISH_REASONS.has(reason) ? (reason as FinishReason) : "unknown",
      usage: this.#usage(value),
      model: typeof value["model"] === "string" ? value["model"] : this.#context.model,
    });
    this.#isOver = true;
  }

  #unknown(value: unknown): void {
    const what = `a line is not a part of an answer: ${JSON.stringify(value).slice(0, 200)}`;
    this.#fail(brokenStream(what, this.#context));
  }

  #fail(failure: Failure): void {
    this.#flush();
    this.#out.push(...this.#splitter.end());
    this.#out.push({ type: "failure", failure, usage: this.#usage({}) });
    this.#isOver = true;
  }

  #usage(value: Record<string, unknown>): ModelUsage {
    const usage: { -readonly [Key in keyof ModelUsage]: ModelUsage[Key] } = {};
    const note = (key: keyof ModelUsage, value: number | undefined): void => {
      if (value !== undefined) usage[key] = value;
    };
    note("inputTokens", count(value["prompt_eval_count"]));
    note("outputTokens", count(value["eval_count"]));
    note("totalMs", milliseconds(value["total_duration"]));
    note("loadMs", milliseconds(value["load_duration"]));
    note("promptMs", milliseconds(value["prompt_eval_duration"]));
    note("generationMs", milliseconds(value["eval_duration"]));
    note("firstChunkMs", this.#firstChunkMs);
    return usage;
  }
}

interface WireCall {
  readonly id?: unknown;
  readonly function: { readonly name: string; readonly arguments?: Json };
}

interface WireReplyMessage {
  readonly content?: string | null;
  readonly thinking?: string | null;
  readonly tool_calls?: readonly WireCall[] | null;
}

function isMessage(message: object): message is WireReplyMessage {
  const { content, thinking, tool_calls: calls } = message as Record<string, unknown>;
  return (
    isText(content) && isText(thinking) && (calls == null || (Array.isArray(calls) && calls.every(isCall)))
  );
}

function isText(value: unknown): boolean {
  return value == null || typeof value === "string";
}

function isCall(value: unknown): value is WireCall {
  return (
    isJsonObject(value) && isJsonObject(value["function"]) && typeof value["function"]["name"] === "string"
  );
}

/** Calls are never told apart by their `index`, which is often 0 for all. An empty id: the server sent none. */
function toCall(call: WireCall): ToolCall {
  const { name, arguments: args } = call.function;
  return { id: typeof call.id === "string" ? call.id : "", name, arguments: args ?? {} };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}

/** Ollama's durations are in nanoseconds. */
function milliseconds(value: unknown): number | undefined {
  const nanoseconds = count(value);
  return nanoseconds === undefined ? undefined : nanoseconds / 1e6;
}

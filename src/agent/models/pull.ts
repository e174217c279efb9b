import { failure, type Failure } from "../failure.ts";
import { isGood, type OllamaApi } from "./api.ts";
import type { ModelDirectory } from "./capabilities.ts";
import { brokenStream, fromFault, type ErrorContext } from "./errors.ts";
import { NdjsonReader, type NdjsonBatch } from "./ndjson.ts";
import { fromServer, wordsOf } from "./server-errors.ts";
import type { ExchangeRead, TimeLimits } from "./transport.ts";

/** How a pull goes on. The last one is `done` or `failure`. */
export type PullUpdate =
  | {
      readonly type: "progress";
      /** The server's words, such as `pulling manifest`. */
      readonly status: string;
      /** Bytes of all parts that are known so far; absent before the first. */
      readonly completed?: number;
      readonly total?: number;
    }
  | { readonly type: "done" }
  | { readonly type: "failure"; readonly failure: Failure };

const LIMITS: TimeLimits = { connectMs: 10_000, firstByteMs: 120_000, idleMs: 300_000 };
/** A model has a handful of parts. */
const MAX_PARTS = 1_000;

/**
 * Has the server download a model. Never throws; stops, and so does the server, when the signal fires or the iteration
 * is left. One update at most for what one read of the socket brings.
 */
export async function* pullModel(
  api: OllamaApi,
  directory: ModelDirectory,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<PullUpdate, void, undefined> {
  const context = { ...api.context(model), isFixed: true };
  const exchange = api.open("pull", { model, stream: true }, LIMITS, signal);
  const reader = new PullReader(context);
  try {
    while (!reader.isOver) {
      const read = await exchange.read();
      if (read.type === "fault") {
        yield { type: "failure", failure: fromFault(read.fault, context) };
        return;
      }
      if (!isGood(exchange.status)) {
        const first = read.type === "data" ? read.bytes : Buffer.alloc(0);
        yield { type: "failure", failure: inWords(await api.failure(exchange, first, context), context) };
        return;
      }
      const update = reader.read(read);
      if (update !== undefined) yield update;
    }
    exchange.finish();
  } finally {
    exchange.close();
    directory.invalidate(model);
  }
}

class PullReader {
  readonly #lines = new NdjsonReader();
  readonly #parts = new Map<string, { readonly completed: number; readonly total: number }>();
  readonly #context: ErrorContext;
  isOver = false;

  constructor(context: ErrorContext) {
    this.#context = context;
  }

  read(read: Exclude<ExchangeRead, { readonly type: "fault" }>): PullUpdate | undefined {
    const update = this.#batch(read.type === "data" ? this.#lines.push(read.bytes) : this.#lines.end());
    if (this.isOver || read.type === "data") return update;
    return this.#fail(brokenStream("it ended before all was there", this.#context));
  }

  #batch({ values, broken }: NdjsonBatch): PullUpdate | undefined {
    let update: PullUpdate | undefined;
    for (const value of values) {
      update = this.#line(value);
      if (this.isOver) return update;
    }
    return broken === undefined ? update : this.#fail(brokenStream(broken, this.#context));
  }

  #line(value: unknown): PullUpdate {
    const line = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
    if ("error" in line) {
      const failure = fromServer({ status: 200, words: wordsOf(line) ?? "" }, this.#context);
      return this.#fail(inWords(failure, this.#context));
    }
    const { status, digest, completed, total } = line;
    if (typeof status !== "string") return this.#fail(brokenStream("a line has no status", this.#context));
    if (status === "success") {
      this.isOver = true;
      return { type: "done" };
    }
    if (typeof digest === "string" && typeof total === "number" && this.#parts.size < MAX_PARTS) {
      this.#parts.set(digest, { total, completed: typeof completed === "number" ? completed : 0 });
    }
    return { type: "progress", status, ...this.#sum() };
  }

  #sum(): { readonly completed?: number; readonly total?: number } {
    if (this.#parts.size === 0) return {};
    let [completed, total] = [0, 0];
    for (const part of this.#parts.values()) {
      completed += part.completed;
      total += part.total;
    }
    return { completed, total };
  }

  #fail(failure: Failure): PullUpdate {
    this.isOver = true;
    return { type: "failure", failure };
  }
}

/** What a pull's own errors mean for people. */
function inWords(found: Failure, { model }: ErrorContext): Failure {
  const cause = found.cause ?? found.message;
  if (found.code === "model_missing") {
    return failure("model_missing", `The library has no model called ${model}. Check its name.`, { cause });
  }
  if (/no such host|dial tcp|i\/o timeout|network is unreachable|proxyconnect/i.test(cause)) {
    return failure(
      "server_error",
      `Ollama could not reach the model library to pull ${model}. Check its network.`,
      {
        action: "retry",
        cause,
      },
    );
  }
  if (/no space left|not enough space|disk quota/i.test(cause)) {
    return failure("server_error", `There is no room on Ollama's disk for ${model}.`, { cause });
  }
  return found;
}

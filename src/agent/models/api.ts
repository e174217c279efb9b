import { success, type Failure, type Result } from "../failure.ts";
import { systemClock, type Clock } from "./clock.ts";
import { fromFault, type ErrorContext } from "./errors.ts";
import type { OllamaHost } from "./host.ts";
import { errorWords, fromServer } from "./server-errors.ts";
import { Exchange, type HttpCall, type TimeLimits, type TransportFault } from "./transport.ts";
import { wireJson } from "./wire.ts";

/** Limits of the small requests, which no model has to be loaded for. */
const METADATA_LIMITS: TimeLimits = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000 };

/** The longest body of a small request that is read, in bytes. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** As much of an error's body as is read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Sends requests to one Ollama server; knows addresses, headers and errors, and no endpoint. */
export class OllamaApi {
  readonly host: OllamaHost;
  readonly #clock: Clock;

  constructor(host: OllamaHost, clock: Clock = systemClock) {
    this.host = host;
    this.#clock = clock;
  }

  /** Opens an exchange with an endpoint such as `chat`; the body is left out for a GET, and sent as it is where it is a text. */
  open(
    endpoint: string,
    body: object | string | undefined,
    limits: TimeLimits,
    signal: AbortSignal,
  ): Exchange {
    const { origin, basePath, authorization } = this.host;
    const call: HttpCall = {
      method: body === undefined ? "GET" : "POST",
      origin,
      path: `${basePath}/api/${endpoint}`,
      headers: {
        accept: "application/json, application/x-ndjson",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(authorization !== undefined && { authorization }),
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : wireJson(body) }),
    };
    return Exchange.open(call, limits, this.#clock, signal);
  }

  /** The whole body of an answer with status 200, as text. */
  async text(
    endpoint: string,
    body: object | undefined,
    options: { readonly limits?: TimeLimits; readonly model?: string; readonly signal: AbortSignal },
  ): Promise<Result<string>> {
    const context = { ...this.context(options.model ?? ""), isFixed: options.limits === undefined };
    const exchange = this.open(endpoint, body, options.limits ?? METADATA_LIMITS, options.signal);
    try {
      const read = await readAll(exchange, MAX_BODY_BYTES);
      if (!read.ok) return { ok: false, failure: await this.faultOf(read.fault, context, options.signal) };
      if (isGood(exchange.status)) return success(read.text);
      return { ok: false, failure: this.refusal(exchange, read.text, context) };
    } finally {
      exchange.close();
    }
  }

  /**
   * The failure that a fault stands for. A connection that ended before the answer may have been one that was kept open
   * to a server that is gone by now: a look at the server tells. The request itself is never sent again.
   */
  async faultOf(fault: TransportFault, context: ErrorContext, signal: AbortSignal): Promise<Failure> {
    if (fault.kind !== "broken" || fault.received) return fromFault(fault, context);
    const look = this.open("version", undefined, METADATA_LIMITS, signal);
    try {
      const read = await look.read();
      const isGone = read.type === "fault" && read.fault.kind !== "broken";
      return fromFault(isGone ? read.fault : fault, context);
    } finally {
      look.close();
    }
  }

  /** The failure that an answer with another status than 200 stands for; reads its body. */
  async failure(exchange: Exchange, first: Buffer, context: ErrorContext): Promise<Failure> {
    const read = await readAll(exchange, MAX_ERROR_BYTES, first);
    return this.refusal(exchange, read.ok ? read.text : first.toString("utf8"), context);
  }

  /** What error messages name. */
  context(model: string): ErrorContext {
    return { host: this.host.display, model };
  }

  private refusal(exchange: Exchange, body: string, context: ErrorContext): Failure {
    const { status, location } = exchange;
    const words = location === undefined ? errorWords(body) : `redirects to ${location}`;
    return fromServer({ status, words }, context);
  }
}

/** Only these statuses carry an answer. */
export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

type WholeBody =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: TransportFault };

/** Reads to the end, or to the limit: an error's first part is enough, and no more is ever held. */
async function readAll(exchange: Exchange, maxBytes: number, first?: Buffer): Promise<WholeBody> {
  const parts = first === undefined ? [] : [first];
  let size = first?.length ?? 0;
  while (size < maxBytes) {
    const read = await exchange.read();
    if (read.type === "fault") return { ok: false, fault: read.fault };
    if (read.type === "end") break;
    parts.push(read.bytes);
    size += read.bytes.length;
  }
  return { ok: true, text: Buffer.concat(parts).toString("utf8") };
}

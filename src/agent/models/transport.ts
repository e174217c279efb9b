import { Agent, type Dispatcher } from "undici";
import type { Clock } from "./clock.ts";

/** The time limits of one exchange, in milliseconds; there are no others. */
export interface TimeLimits {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** From the request being sent to the first byte of the body: loading a model and reading a long prompt included. */
  readonly firstByteMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
}

/** Which limit fired. */
export type TimeLimitName = "connect" | "first_byte" | "idle";

/** Why an exchange ended before its end; `errors.ts` puts it in words. */
export type TransportFault =
  | { readonly kind: "cancelled" }
  | { readonly kind: "timeout"; readonly limit: TimeLimitName; readonly ms: number }
  /** No connection was made. */
  | { readonly kind: "unreachable"; readonly error: unknown }
  /** The connection ended; `received` says whether a part of the body had arrived. */
  | { readonly kind: "broken"; readonly received: boolean; readonly error: unknown };

/** One read: all bytes that have arrived since the last one, the end, or why there is none. */
export type ExchangeRead =
  | { readonly type: "data"; readonly bytes: Buffer }
  | { readonly type: "end" }
  | { readonly type: "fault"; readonly fault: TransportFault };

/** An HTTP request to send. */
export interface HttpCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly origin: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** Bytes that may wait for a slow reader before the socket is paused. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** How long a server that has sent all that matters may keep the connection before it is closed. */
const LINGER_MS = 2_000;
/** Timers take no more; a longer limit is armed again until its deadline. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** undici's own limit on connecting; ours is shorter unless the user wants it longer. */
const MAX_CONNECT_MS = 600_000;

let agent: Agent | undefined;

/**
 * The process's connections. undici's dispatcher is used directly: an exchange costs half of what `node:http` takes
 * and a sixth of `fetch` (see docs/performance.md). Its own time limits are off, and it never sends a POST twice.
 */
function connections(): Agent {
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: MAX_CONNECT_MS } });
  return agent;
}

/**
 * Sends one request and lets its answer be read. Never throws or rejects. The signal, or `close()`, destroys the
 * socket at once, at every stage, which is what makes Ollama stop.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: TimeLimits;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #location: string | undefined;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #received = false;
  #ended = false;
  #closed = false;
  #fault: TransportFault | undefined;
  #wake: (() => void) | undefined;
  #limit: { readonly name: TimeLimitName; readonly ms: number } | undefined;
  #deadline = 0;
  /** When the timer that is set fires, on the clock. */
  #timerAt = 0;
  #cancelTimer: (() => void) | undefined;

  private constructor(limits: TimeLimits, clock: Clock, signal: AbortSignal) {
    this.#limits = limits;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Starts an exchange; what goes wrong is told by the first `read`. */
  static open(call: HttpCall, limits: TimeLimits, clock: Clock, signal: AbortSignal): Exchange {
    const exchange = new Exchange(limits, clock, signal);
    if (signal.aborted) exchange.#fail({ kind: "cancelled" });
    else exchange.#start(call);
    return exchange;
  }

  /** The HTTP status once a read has given data or the end. */
  get status(): number {
    return this.#status ?? 0;
  }

  /** Where a redirect points, if the answer is one. */
  get location(): string | undefined {
    return this.#location;
  }

  /** Waits for bytes. After `end` or `fault` it gives the same again. */
  async read(): Promise<ExchangeRead> {
    if (this.#queue.length === 0 && !this.#ended && this.#fault === undefined) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    // What had arrived before the connection broke still counts.
    if (this.#queue.length > 0) return { type: "data", bytes: this.#take() };
    return this.#fault === undefined ? { type: "end" } : { type: "fault", fault: this.#fault };
  }

  /** All has been read that matters: lets the connection end in peace and be used again, or closes it soon. */
  finish(): void {
    if (this.#ended || this.#closed) return;
    this.#closed = true;
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#queue = [];
    this.#controller?.resume();
    this.#setTimer(LINGER_MS, () => this.#controller?.abort(new Error("closed")));
  }

  /** Stops at once and destroys the socket. Does nothing after the end or `finish`. */
  close(): void {
    if (!this.#closed && !this.#ended) this.#fail({ kind: "cancelled" });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#closed) controller.abort(new Error("closed"));
    else this.#arm("first_byte", this.#limits.firstByteMs);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    const location = headers["location"];
    this.#location = typeof location === "string" ? location : undefined;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#closed) return;
    if (this.#received) this.#deadline = this.#clock.now() + this.#limits.idleMs;
    else this.#arm("idle", this.#limits.idleMs);
    this.#received = true;
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes > HIGH_WATER_BYTES) controller.pause();
    this.#notify();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#closed) this.#settle();
    else if (this.#controller === undefined) this.#fail({ kind: "unreachable", error });
    else this.#fail({ kind: "broken", received: this.#received, error });
  }

  #start(call: HttpCall): void {
    this.#signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#arm("connect", this.#limits.connectMs);
    this.#dispatch(call);
  }

  #dispatch(call: HttpCall): void {
    if (this.#closed) return;
    const { method, origin, path, headers } = call;
    try {
      connections().dispatch({ method, origin, path, headers, body: call.body ?? null }, this);
    } catch (error) {
      this.#fail({ kind: "unreachable", error });
    }
  }

  readonly #onAbort = (): void => this.#fail({ kind: "cancelled" });

  #fail(fault: TransportFault): void {
    if (this.#closed || this.#ended) return;
    this.#closed = true;
    this.#fault = fault;
    if (fault.kind === "cancelled") this.#queue = [];
    this.#settle();
    this.#controller?.abort(new Error(fault.kind));
  }

  #settle(): void {
    this.#stopTimer();
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #take(): Buffer {
    const queue = this.#queue;
    const wasPaused = this.#queuedBytes > HIGH_WATER_BYTES;
    this.#queue = [];
    this.#queuedBytes = 0;
    if (wasPaused) {
      // The time the reader took is not the server's. Resuming may bring the next piece before it returns.
      this.#deadline = this.#clock.now() + this.#limits.idleMs;
      this.#controller?.resume();
    }
    const [first] = queue;
    return first !== undefined && queue.length === 1 ? first : Buffer.concat(queue);
  }

  /** A later deadline needs no timer of its own: the one that is set finds it, and goes on for what is left. */
  #arm(name: TimeLimitName, ms: number): void {
    this.#limit = { name, ms };
    this.#deadline = this.#clock.now() + ms;
    const isSet = this.#cancelTimer !== undefined && this.#timerAt <= this.#deadline;
    if (!isSet) this.#setTimer(ms, this.#onTimer);
  }

  readonly #onTimer = (): void => {
    const left = this.#deadline - this.#clock.now();
    const readerIsSlow = this.#queuedBytes > HIGH_WATER_BYTES;
    if (readerIsSlow) this.#setTimer(this.#limits.idleMs, this.#onTimer);
    else if (left > 0) this.#setTimer(left, this.#onTimer);
    else if (this.#limit !== undefined) {
      this.#fail({ kind: "timeout", limit: this.#limit.name, ms: this.#limit.ms });
    }
  };

  #setTimer(ms: number, fire: () => void): void {
    this.#stopTimer();
    const soon = Math.min(ms, LONGEST_TIMER_MS);
    this.#timerAt = this.#clock.now() + soon;
    this.#cancelTimer = this.#clock.timer(soon, fire);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

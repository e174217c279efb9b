import { Agent } from "undici";
import { delay, type Timer } from "../../../agent/timer.ts";
import { post } from "./post.ts";
import { retryAfter } from "./retry-after.ts";

/** What waits to be sent, at most; the oldest goes when more comes. */
const MAX_WAITING = 50;
const MAX_WAITING_SIZE = 64 * 1024 * 1024;

/** Tries of one request, and the waits between them in milliseconds: the first one, and the longest. */
const MAX_TRIES = 6;
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** A server that wants to be left alone for longer is not asked again for this request. */
const LONGEST_RETRY_AFTER = 5 * 60_000;

/** One request to a collector. */
export interface SpanRequest {
  readonly url: URL;
  /** OTLP JSON. */
  readonly body: string;
}

/** What a sender works with. */
export interface SenderDeps {
  readonly timer: Timer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told in a sentence when something could not be sent, or was sent in part. Never holds what was to be sent. */
  readonly warn: (message: string) => void;
}

/**
 * Sends spans one request after the other, away from whoever hands them over. What can't be sent is tried again for a
 * while, then given up in words. Nothing throws, and nothing waits for ever.
 */
export class SpanSender {
  readonly #deps: SenderDeps;
  readonly #agent = new Agent({ connections: 1, pipelining: 1, connect: { timeout: 10_000 } });
  readonly #stop = new AbortController();
  #waiting: SpanRequest[] = [];
  #size = 0;
  #working: Promise<void> | undefined;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Queues a request; returns at once. */
  send(request: SpanRequest): void {
    if (this.#stop.signal.aborted) return;
    this.#waiting.push(request);
    this.#size += request.body.length;
    let dropped = 0;
    while (
      this.#waiting.length > MAX_WAITING ||
      (this.#size > MAX_WAITING_SIZE && this.#waiting.length > 1)
    ) {
      this.#size -= this.#waiting.shift()?.body.length ?? 0;
      dropped += 1;
    }
    if (dropped > 0)
      this.#deps.warn(
        `${dropped} traces wait no longer to be sent: newer ones came faster than they could be.`,
      );
    this.#working ??= this.#work();
  }

  /** Forgets what waits, such as when the setting was turned off. */
  clear(): void {
    this.#waiting = [];
    this.#size = 0;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#working;
  }

  /** Stops at once; what waits is not sent. */
  async dispose(): Promise<void> {
    this.clear();
    this.#stop.abort();
    await this.#working;
    await this.#agent.destroy();
  }

  async #work(): Promise<void> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#deliver(next);
    this.#working = undefined;
  }

  #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #next(): SpanRequest | undefined {
    const next = this.#waiting.shift();
    this.#size -= next?.body.length ?? 0;
    return next;
  }

  async #deliver({ url, body }: SpanRequest): Promise<void> {
    const { signal } = this.#stop;
    const { warn, timer, now } = this.#deps;
    const dispatcher = this.#agent;
    let wait = FIRST_WAIT;
    for (let tries = 1; !this.#isStopped(); tries += 1) {
      const posted = await post(url, body, { dispatcher, signal, now });
      if (this.#isStopped()) return;
      if (posted.kind === "taken") {
        if (posted.remark !== "")
          warn(`The collector at ${url.host} took a trace in part: ${posted.remark}.`);
        return;
      }
      const asked = posted.kind === "later" ? retryAfter(posted.retryAfter, now()) : undefined;
      const isOver =
        posted.kind === "refused" ||
        tries >= MAX_TRIES ||
        (asked !== undefined && asked > LONGEST_RETRY_AFTER);
      if (isOver) {
        const after = tries === 1 ? "" : ` after ${tries} tries`;
        warn(`A trace could not be sent to ${url.host}${after} and is given up: ${posted.reason}.`);
        return;
      }
      if (!(await delay(asked ?? wait, signal, timer))) return;
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  }
}

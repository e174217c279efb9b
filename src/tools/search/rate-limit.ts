import { failure, type Failure } from "../../agent/failure.ts";

/** How long an engine is left alone when it does not say when to come back. */
const DEFAULT_PAUSE_MS = 5 * 60_000;
/** No engine is believed that wants to be left alone for longer. */
const MAX_PAUSE_MS = 24 * 60 * 60_000;

/**
 * Remembers which engines said "too many requests", and until when, so that neither a retry nor the next turn asks
 * again before. Bounded: one entry per engine and address.
 */
export class RateLimits {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The failure to give without asking, while the pause lasts. */
  paused(key: string, label: string): Failure | undefined {
    const until = this.#until.get(key);
    if (until === undefined) return undefined;
    if (until > this.#now()) return rateLimited(label, until);
    this.#until.delete(key);
    return undefined;
  }

  /** Notes a refusal; `waitMs` is the engine's own word, where it gave one. */
  note(key: string, label: string, waitMs?: number): Failure {
    const wait = Math.min(waitMs !== undefined && waitMs > 0 ? waitMs : DEFAULT_PAUSE_MS, MAX_PAUSE_MS);
    const until = this.#now() + wait;
    this.#until.set(key, until);
    return rateLimited(label, until);
  }
}

/** Milliseconds that an answer asks to wait, by `Retry-After` or `X-RateLimit-Reset`; nothing when it doesn't say. */
export function askedPause(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const retryAfter = headers["retry-after"];
  if (retryAfter !== undefined) {
    const seconds = Number(retryAfter);
    if (Number.isFinite(seconds)) return seconds * 1000;
    const date = Date.parse(retryAfter);
    if (!Number.isNaN(date)) return date - now;
  }
  // Brave lists one number per window ("1, 1419704"): the one that has nothing left is the one to wait for.
  const resets = numbers(headers["x-ratelimit-reset"]);
  const spent = numbers(headers["x-ratelimit-remaining"]).lastIndexOf(0);
  const reset = resets[spent] ?? resets[0];
  return reset === undefined ? undefined : reset * 1000;
}

function numbers(list: string | undefined): readonly number[] {
  return (list ?? "").split(",").map(Number.parseFloat).filter(Number.isFinite);
}

function rateLimited(label: string, until: number): Failure {
  const time = new Date(until).toISOString().replace("T", " ").slice(0, 19);
  return failure(
    "rate_limited",
    `${label} is rate limited and did not search; it is not retried before ${time} UTC.`,
  );
}

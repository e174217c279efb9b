import { CANCELLED, success, type Result } from "../../agent/failure.ts";
import { delay, systemTimer } from "../../agent/timer.ts";

/** Spaces requests out: each waits until the gap after the one before it has passed. */
export class Pacer {
  readonly #gapMs: number;
  readonly #now: () => number;
  #next = 0;

  /** @param now milliseconds since the epoch */
  constructor(gapMs: number, now: () => number) {
    this.#gapMs = gapMs;
    this.#now = now;
  }

  /** Resolves when it is the caller's turn; the failure `cancelled` when the signal fires before. */
  async wait(signal: AbortSignal): Promise<Result<undefined>> {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const now = this.#now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gapMs;
    if (at === now || (await delay(at - now, signal, systemTimer))) return success(undefined);
    return { ok: false, failure: CANCELLED };
  }
}

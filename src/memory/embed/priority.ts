import type { Timer } from "../../agent/timer.ts";
import { systemTimer } from "../../agent/timer.ts";

/** Work in the background waits no longer than this for a moment without requests, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Lets work in the background step back while somebody waits for an answer. */
export class Priority {
  readonly #timer: Timer;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(timer: Timer = systemTimer) {
    this.#timer = timer;
  }

  /** Does work that somebody waits for. */
  async first<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#waiting.splice(0).forEach((go) => go());
    }
  }

  /** Resolves when nobody waits for anything, after a while in any case, and at once when the signal fires. */
  quiet(signal: AbortSignal): Promise<void> {
    if (this.#running === 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        cancel();
        signal.removeEventListener("abort", go);
        this.#waiting = this.#waiting.filter((each) => each !== go);
        resolve();
      };
      const cancel = this.#timer(PATIENCE_MS, go);
      signal.addEventListener("abort", go, { once: true });
      this.#waiting.push(go);
    });
  }
}

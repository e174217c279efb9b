import type { Raced } from "../timer.ts";

/**
 * The end of one call of a tool: its time is up, its turn was cancelled, or it has given its result. The signal for the
 * tool is made when the tool looks at it; most never do, and making one costs more than all else around a call.
 */
export class CallEnd {
  #controller: AbortController | undefined;
  #reason: unknown;
  #hasCome = false;
  #wake: (() => void) | undefined;

  /** Whether it has come. */
  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** Fires when it comes. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#hasCome) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** It has come; the first reason counts. */
  come(reason: unknown): void {
    if (this.#hasCome) return;
    this.#hasCome = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#wake?.();
  }

  /**
   * Runs work and stops waiting for it when the end comes, whether the work heeds the signal or not. Never rejects; what
   * the work gives or throws after that is dropped. One work at a time.
   */
  race<T>(work: () => Promise<T>): Promise<Raced<T>> {
    if (this.#hasCome) return Promise.resolve({ kind: "aborted" });
    return new Promise((resolve) => {
      this.#wake = () => resolve({ kind: "aborted" });
      const thrown = (error: unknown): void => resolve({ kind: "thrown", error });
      try {
        work().then((value) => resolve({ kind: "value", value }), thrown);
      } catch (error) {
        thrown(error);
      }
    });
  }
}

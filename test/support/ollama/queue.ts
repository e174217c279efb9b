import { makeSignal } from "./deferred.ts";
import { raceAbort } from "./models.ts";

/** A turn at a model; `leave` must be called once the answer has ended. */
export interface QueueTurn {
  leave(): void;
}

/** Lets so many requests at once to each model and makes the others wait, in order. */
export class RequestQueue {
  readonly #parallel: number;
  readonly #maxWaiting: number;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(parallel: number, maxWaiting: number) {
    this.#parallel = parallel;
    this.#maxWaiting = maxWaiting;
  }

  /** Resolves when it is the request's turn, or with why it never will be. */
  async enter(model: string, signal: AbortSignal): Promise<QueueTurn | "full" | "aborted"> {
    const running = this.#running.get(model) ?? 0;
    if (running >= this.#parallel) {
      const waiting = this.#waiting.get(model) ?? [];
      this.#waiting.set(model, waiting);
      if (waiting.length >= this.#maxWaiting) return "full";
      const turn = makeSignal();
      waiting.push(turn.fire);
      if (!(await raceAbort(turn.promise, signal))) {
        const at = waiting.indexOf(turn.fire);
        if (at >= 0) waiting.splice(at, 1);
        else this.#leave(model);
        return "aborted";
      }
    } else {
      this.#running.set(model, running + 1);
    }
    return {
      leave: () => {
        this.#leave(model);
      },
    };
  }

  /** Hands the place to the next who waits; only without one does the count fall. */
  #leave(model: string): void {
    const next = this.#waiting.get(model)?.shift();
    if (next === undefined) this.#running.set(model, (this.#running.get(model) ?? 1) - 1);
    else next();
  }
}

import { LRUCache } from "lru-cache";

/** A model that took too long is left alone for so long, in milliseconds; each further time for twice as long. */
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 10 * 60_000;

/** Models that are kept track of. */
const MAX_MODELS = 100;

/** Models that took too long to read a turn: they are asked ever less often, so that not every turn waits for them. */
export class SlowModels {
  readonly #slow = new LRUCache<string, { readonly restMs: number; readonly until: number }>({
    max: MAX_MODELS,
  });

  /** How much longer a model is to be left alone, in milliseconds; 0 when it may be asked. */
  restOf(model: string, now: number): number {
    return Math.max(0, (this.#slow.get(model)?.until ?? 0) - now);
  }

  /** A model took too long. */
  timedOut(model: string, now: number): void {
    const before = this.#slow.get(model)?.restMs ?? 0;
    const restMs = before === 0 ? FIRST_REST_MS : Math.min(LONGEST_REST_MS, before * 2);
    this.#slow.set(model, { restMs, until: now + restMs });
  }

  /** A model answered in time. */
  answered(model: string): void {
    this.#slow.delete(model);
  }
}

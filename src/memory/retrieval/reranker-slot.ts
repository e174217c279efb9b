import type { Result } from "../../agent/failure.ts";
import { delay, systemTimer } from "../../agent/timer.ts";
import type { Reranker } from "./reranker.ts";

/** After a failure the model is tried again at the first need after this time. */
const RETRY_MS = 5 * 60 * 1_000;

/** How a reranker is come by: loading takes a second, or a download the first time. */
export type RerankerSource = (signal: AbortSignal) => Promise<Result<Reranker>>;

/** The reranker of a search, or the sentence that says why there is none. */
export type RerankerOrNote = { readonly reranker: Reranker } | { readonly note: string };

/** Holds the reranker: loads it on first need, off the way of whoever needs it, and says why there is none. */
export class RerankerSlot {
  readonly #source: RerankerSource;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  #reranker: Reranker | undefined;
  #loading: Promise<unknown> | undefined;
  #failed: { readonly note: string; readonly until: number } | undefined;
  #percent: number | undefined;

  /**
   * @param signal stops what is loaded when the process ends
   * @param now milliseconds of a clock that only goes forward
   */
  constructor(source: RerankerSource, signal: AbortSignal, now: () => number = () => performance.now()) {
    this.#source = source;
    this.#signal = signal;
    this.#now = now;
  }

  /** The reranker, waited for at most so long while it loads from disk; a download is not waited for. */
  async get(patienceMs: number, signal: AbortSignal): Promise<RerankerOrNote> {
    this.#begin();
    if (this.#loading !== undefined && this.#percent === undefined) {
      const waited = new AbortController();
      const patience = AbortSignal.any([signal, waited.signal]);
      await Promise.race([this.#loading, delay(patienceMs, patience, systemTimer)]);
      waited.abort();
    }
    if (this.#reranker !== undefined) return { reranker: this.#reranker };
    const how = this.#percent === undefined ? "is being loaded" : `is being downloaded (${this.#percent} %)`;
    return { note: this.#failed?.note ?? `Without the reranker for now: its model ${how}.` };
  }

  /** Says how far a download is, 0..100. */
  progressed(percent: number): void {
    this.#percent = percent;
  }

  #begin(): void {
    const blocked = this.#failed !== undefined && this.#now() < this.#failed.until;
    if (this.#reranker !== undefined || this.#loading !== undefined || blocked) return;
    this.#failed = undefined;
    this.#loading = this.#source(this.#signal).then((result) => {
      this.#loading = undefined;
      this.#percent = undefined;
      if (result.ok) this.#reranker = result.value;
      else
        this.#failed = {
          note: `Without the reranker: ${result.failure.message}`,
          until: this.#now() + RETRY_MS,
        };
    });
  }
}

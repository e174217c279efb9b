import type { Failure, Result } from "../../agent/failure.ts";
import { delay, systemTimer } from "../../agent/timer.ts";

/** After a failure a model is tried again at the first need after this time. */
const RETRY_MS = 5 * 60 * 1_000;

/** How a model is come by: loading takes a second, or a download the first time. */
export type ModelSource<M> = (signal: AbortSignal) => Promise<Result<M>>;

/** What is told and done of a model on its way. */
export interface ModelWays<M> {
  /** The sentence for people while it is loaded; `how` is such as "is being loaded". */
  readonly loading: (how: string) => string;
  /** The sentence when it can't be had. */
  readonly missing: (failure: Failure) => string;
  /** After which time it is tried again, in milliseconds; nothing: after five minutes. */
  readonly retryMs?: (failure: Failure) => number | undefined;
  /** Told of the model once it is there. */
  readonly onReady?: (model: M) => void;
}

/** What is known of a model at a moment. */
export interface ModelState<M> {
  readonly model?: M;
  /** A sentence for people while there is none. */
  readonly note?: string;
}

/** Holds a model: loads it on first need, off the way of whoever needs it, and says why there is none. */
export class ModelSlot<M> {
  readonly #source: ModelSource<M>;
  readonly #ways: ModelWays<M>;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  #model: M | undefined;
  #loading: Promise<unknown> | undefined;
  #failed: { readonly note: string; readonly until: number } | undefined;
  #percent: number | undefined;

  /**
   * @param signal stops what is loaded when the process ends
   * @param now milliseconds of a clock that only goes forward
   */
  constructor(
    source: ModelSource<M>,
    ways: ModelWays<M>,
    signal: AbortSignal,
    now: () => number = () => performance.now(),
  ) {
    this.#source = source;
    this.#ways = ways;
    this.#signal = signal;
    this.#now = now;
  }

  /** What is known now; loads nothing. */
  get state(): ModelState<M> {
    if (this.#model !== undefined) return { model: this.#model };
    if (this.#loading !== undefined) return { note: this.#loadingNote };
    return this.#failed === undefined ? {} : { note: this.#failed.note };
  }

  /** The model if it is ready; begins to load it if it is not. */
  ready(): M | undefined {
    this.#begin();
    return this.#model;
  }

  /** The model, waited for at most so long while it loads from disk; a download is not waited for. */
  async get(
    patienceMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly model: M } | { readonly note: string }> {
    this.#begin();
    if (this.#loading !== undefined && this.#percent === undefined) {
      const waited = new AbortController();
      const patience = AbortSignal.any([signal, waited.signal]);
      await Promise.race([this.#loading, delay(patienceMs, patience, systemTimer)]);
      waited.abort();
    }
    const { model, note } = this.state;
    return model === undefined ? { note: note ?? this.#loadingNote } : { model };
  }

  /** Says how far a download is, 0..100. */
  progressed(percent: number): void {
    this.#percent = percent;
  }

  get #loadingNote(): string {
    return this.#ways.loading(
      this.#percent === undefined ? "is being loaded" : `is being downloaded (${this.#percent} %)`,
    );
  }

  #begin(): void {
    const blocked = this.#failed !== undefined && this.#now() < this.#failed.until;
    if (this.#model !== undefined || this.#loading !== undefined || blocked) return;
    this.#failed = undefined;
    this.#loading = this.#source(this.#signal).then((result) => this.#settle(result));
  }

  #settle(result: Result<M>): void {
    this.#loading = undefined;
    this.#percent = undefined;
    if (result.ok) {
      this.#model = result.value;
      this.#ways.onReady?.(result.value);
      return;
    }
    const wait = this.#ways.retryMs?.(result.failure) ?? RETRY_MS;
    this.#failed = { note: this.#ways.missing(result.failure), until: this.#now() + wait };
  }
}

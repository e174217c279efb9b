import type { FailureCode, Result } from "../../agent/failure.ts";
import { delay, systemTimer } from "../../agent/timer.ts";
import type { Embedder, EmbedderSource } from "./embedder.ts";
import type { EmbedderOrNote } from "../retrieval/retrieve.ts";

/** After a failure the model is tried again at the first need after this time. */
const RETRY_MS = 5 * 60 * 1_000;
/** A server that is not there may be started any moment, and costs little to ask. */
const SERVER_RETRY_MS = 10 * 1_000;
const SERVER_CODES: readonly FailureCode[] = [
  "server_unreachable",
  "server_busy",
  "model_missing",
  "timeout",
];

/** What is known of the embedder at a moment. */
export interface SlotState {
  readonly embedder?: Embedder;
  /** A sentence for people while there is none. */
  readonly note?: string;
}

/** Holds the embedder: loads it on first need, off the way of whoever needs it, and says why there is none. */
export class EmbedderSlot {
  readonly #source: EmbedderSource;
  readonly #onReady: (embedder: Embedder) => void;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  #embedder: Embedder | undefined;
  #loading: Promise<unknown> | undefined;
  #failed: { readonly note: string; readonly until: number } | undefined;
  #percent: number | undefined;

  constructor(
    source: EmbedderSource,
    onReady: (embedder: Embedder) => void,
    signal: AbortSignal,
    now: () => number = () => performance.now(),
  ) {
    this.#source = source;
    this.#onReady = onReady;
    this.#signal = signal;
    this.#now = now;
  }

  /** What is known now; loads nothing. */
  get state(): SlotState {
    if (this.#embedder !== undefined) return { embedder: this.#embedder };
    if (this.#loading !== undefined) return { note: this.#loadingNote };
    return this.#failed === undefined ? {} : { note: this.#failed.note };
  }

  /** The embedder if it is ready; begins to load it if it is not. */
  ready(): Embedder | undefined {
    this.#begin();
    return this.#embedder;
  }

  /** The embedder, waited for at most so long while it loads from disk; a download is not waited for. */
  async get(patienceMs: number, signal: AbortSignal): Promise<EmbedderOrNote> {
    this.#begin();
    if (this.#loading !== undefined && this.#percent === undefined) {
      const waited = new AbortController();
      const patience = AbortSignal.any([signal, waited.signal]);
      await Promise.race([this.#loading, delay(patienceMs, patience, systemTimer)]);
      waited.abort();
    }
    const { embedder, note } = this.state;
    return embedder === undefined ? { note: note ?? this.#loadingNote } : { embedder };
  }

  /** Says how far a download is, 0..100. */
  progressed(percent: number): void {
    this.#percent = percent;
  }

  get #loadingNote(): string {
    const how = this.#percent === undefined ? "is being loaded" : `is being downloaded (${this.#percent} %)`;
    return `Full-text search only for now: the embedding model ${how}.`;
  }

  #begin(): void {
    const blocked = this.#failed !== undefined && this.#now() < this.#failed.until;
    if (this.#embedder !== undefined || this.#loading !== undefined || blocked) return;
    this.#failed = undefined;
    this.#loading = this.#source(this.#signal).then((result) => this.#settle(result));
  }

  #settle(result: Result<Embedder>): void {
    this.#loading = undefined;
    this.#percent = undefined;
    if (result.ok) {
      this.#embedder = result.value;
      this.#onReady(result.value);
    } else {
      const { code, message } = result.failure;
      const wait = SERVER_CODES.includes(code) ? SERVER_RETRY_MS : RETRY_MS;
      this.#failed = { note: `Full-text search only: ${message}`, until: this.#now() + wait };
    }
  }
}

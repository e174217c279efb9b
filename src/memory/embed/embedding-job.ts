import type { Failure, Result } from "../../agent/failure.ts";
import { CANCELLED, success } from "../../agent/failure.ts";
import type { Timer } from "../../agent/timer.ts";
import { delay, systemTimer } from "../../agent/timer.ts";
import type { StoreLock } from "../store/lock.ts";
import type { Embedding, EmbeddingDeps, Waiting } from "./embed-missing.ts";
import { embedMissing } from "./embed-missing.ts";
import type { Embedder } from "./embedder.ts";

/** While another window embeds it is tried again after so long, in milliseconds. */
const RETRY_MS = 15_000;
/** After failures the wait doubles up to this. */
const MAX_RETRY_MS = 5 * 60_000;

/** How the embedding of rows stands. */
export interface EmbeddingState {
  /** `elsewhere`: another window is at it. `stopped`: by the user. `failed`: it is tried again after a while. */
  readonly state: "idle" | "running" | "elsewhere" | "stopped" | "failed";
  /** Rows that wait for an embedding of the model in use, as far as known. */
  readonly remaining: number;
  /** 0..100. */
  readonly percent: number;
  /** A sentence for people while something is off or under way. */
  readonly message?: string;
}

/** What the job is made of. */
export interface EmbeddingJobOptions extends EmbeddingDeps {
  /** Of all windows one embeds at a time. */
  readonly lock: StoreLock;
  readonly onProgress: (progress: { readonly message: string; readonly percent: number }) => void;
  /** Takes one line about what went wrong. */
  readonly onLog: (line: string) => void;
  readonly timer?: Timer;
}

/**
 * Has every row embedded with the model in use, in the background: those that were written without an embedder, and
 * after a switch of models all of them. Goes on where it was after a restart. The embeddings of other models stay
 * until all rows are embedded with the one in use, so that a switch back costs nothing; then they are removed.
 */
export class EmbeddingJob {
  readonly #options: EmbeddingJobOptions;
  #embedder: Embedder | undefined;
  #stop = new AbortController();
  #run: Promise<void> = Promise.resolve();
  #running = false;
  #again = false;
  #closed = false;
  #state: EmbeddingState = { state: "idle", remaining: 0, percent: 100 };

  constructor(options: EmbeddingJobOptions) {
    this.#options = options;
  }

  /** How it stands. */
  get state(): EmbeddingState {
    return this.#state;
  }

  /** Embeds what waits with this embedder; one that was at work before makes way. Undoes `cancel`. */
  start(embedder: Embedder): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#embedder = embedder;
    this.#begin();
  }

  /** Says that rows were written which are not embedded yet. Does nothing after `cancel`. */
  wake(): void {
    if (this.#running) this.#again = true;
    else if (this.#state.state !== "stopped") this.#begin();
  }

  /** Stops until `start`; what is embedded stays, the rest is found by its words. False when nothing was under way. */
  cancel(): boolean {
    if (!this.#running) return false;
    this.#stop.abort();
    const { remaining, percent } = this.#state;
    const message = `Embedding was stopped at ${percent} %: ${count(remaining)} found by words only until it goes on.`;
    this.#state = { state: "stopped", remaining, percent, message };
    return true;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.#run) {
      seen = this.#run;
      await seen;
    }
  }

  /** Stops for good, and resolves when it has. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stop.abort();
    await this.settled();
  }

  #begin(): void {
    const embedder = this.#embedder;
    const { signal } = this.#stop;
    if (embedder === undefined || this.#closed) return;
    this.#running = true;
    this.#run = this.#run.then(async () => {
      await this.#untilDone(embedder, signal);
      // Another one may have been started meanwhile.
      if (this.#stop.signal === signal) this.#running = false;
    });
  }

  async #untilDone(embedder: Embedder, signal: AbortSignal): Promise<void> {
    const embedding: Embedding = { embedder, skipped: new Set() };
    let wait = RETRY_MS;
    while (!signal.aborted) {
      this.#again = false;
      const done = await this.#options.lock.tryRun(() => this.#embedAll(embedding, signal));
      if (isStopped(signal)) return;
      const result = done !== "busy" && done.ok ? done.value : done;
      if (result !== "busy" && result.ok) {
        if (result.value && !this.#isAsked()) break;
        continue;
      }
      if (result === "busy") {
        this.#set("elsewhere", "Another window embeds memories for the search by meaning.");
      } else {
        this.#failed(result.failure);
      }
      await delay(wait, signal, this.#options.timer ?? systemTimer);
      wait = result === "busy" ? RETRY_MS : Math.min(MAX_RETRY_MS, wait * 2);
    }
    if (!isStopped(signal)) this.#set("idle");
  }

  /** Whether rows were written since the last walk began. */
  #isAsked(): boolean {
    return this.#again;
  }

  async #embedAll(embedding: Embedding, signal: AbortSignal): Promise<Result<boolean>> {
    const { embedder } = embedding;
    const ready = await this.#dropUnlike(embedder, signal);
    if (!ready.ok) return ready;
    let worked = false;
    const onProgress = (waiting: Waiting): void => {
      if (signal.aborted) return;
      this.#progressed(waiting);
      worked ||= waiting.remaining > 0;
      const { message, percent } = this.#state;
      if (worked && message !== undefined) this.#options.onProgress({ message, percent });
    };
    const whole = await embedMissing(this.#options, embedding, signal, onProgress);
    if (!whole.ok || !whole.value) return whole;
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const dropped = await this.#drop(({ model }) => model !== embedder.model, signal);
    return dropped.ok ? success(true) : dropped;
  }

  /** A model that changed under its name makes vectors of another length: nothing can be compared with the old ones. */
  #dropUnlike({ model, dimensions }: Embedder, signal: AbortSignal): Promise<Result<void>> {
    return this.#drop((known) => known.model === model && known.dimensions !== dimensions, signal);
  }

  async #drop(
    unwanted: (known: { readonly model: string; readonly dimensions: number }) => boolean,
    signal: AbortSignal,
  ): Promise<Result<void>> {
    const known = await this.#options.vectors.models(signal);
    if (!known.ok) return known;
    for (const { model } of known.value.filter(unwanted)) {
      const dropped = await this.#options.vectors.drop(model, signal);
      if (!dropped.ok) return dropped;
    }
    return success(undefined);
  }

  #progressed({ remaining, total }: Waiting): void {
    const percent = total === 0 ? 100 : Math.floor((100 * (total - remaining)) / total);
    const message =
      remaining === 0
        ? "All memories can be found by meaning."
        : `Embedding memories for the search by meaning: ${percent} %, ${count(remaining)} left.`;
    this.#state = { state: "running", remaining, percent, message };
  }

  #failed({ message, cause }: Failure): void {
    this.#set("failed", `Embedding waits: ${message}`);
    this.#options.onLog(`embedding: ${message}${cause === undefined ? "" : ` (${cause})`}`);
  }

  #set(state: EmbeddingState["state"], message?: string): void {
    const { remaining, percent } = this.#state;
    this.#state = { state, remaining, percent, ...(message === undefined ? {} : { message }) };
  }
}

/** Whether a signal has fired by now; the compiler takes it for something that never changes. */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

function count(rows: number): string {
  return rows === 1 ? "1 row" : `${rows.toLocaleString("en-US")} rows`;
}

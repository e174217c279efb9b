import type { Failure, Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import { backfill } from "../embed/backfill.ts";
import { oneLine, shortCause } from "./causes.ts";
import { EmbedderSlot } from "../embed/embedder-slot.ts";
import type { Embedder, EmbedderSource } from "../embed/embedder.ts";
import { EpisodeChanges } from "../store/changes.ts";
import { Indexes } from "../store/indexes.ts";
import { EpisodeReader } from "../store/reader.ts";
import { Maintenance } from "../store/maintenance.ts";
import type { HostStatus, MemoryProgress, Method, Params, Values } from "./protocol.ts";
import { readParams } from "./protocol.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import type { StoreOptions } from "../store/store.ts";
import { StoreHandle } from "../store/store.ts";
import { Writer } from "../store/writer.ts";

/** How long a search waits for the embedding model to load from disk. */
const EMBEDDER_PATIENCE_MS = 4_000;

/** What the service is made of. */
export interface ServiceOptions {
  readonly store: StoreOptions;
  readonly embedder: EmbedderSource;
  readonly onProgress: (progress: MemoryProgress) => void;
  /** Takes one line about what went wrong behind the scenes. */
  readonly onLog: (line: string) => void;
}

/** All that the memory process does, without the process. Requests never reject. */
export class MemoryService {
  readonly #options: ServiceOptions;
  readonly #handle: StoreHandle;
  readonly #indexes: Indexes;
  readonly #reader: EpisodeReader;
  readonly #changes: EpisodeChanges;
  readonly #writer: Writer;
  readonly #maintenance: Maintenance;
  readonly #slot: EmbedderSlot;
  readonly #closing = new AbortController();
  #background: Promise<void> = Promise.resolve();
  #warm = false;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#handle = new StoreHandle(options.store);
    this.#indexes = new Indexes(this.#handle);
    this.#reader = new EpisodeReader(this.#handle, this.#indexes);
    this.#changes = new EpisodeChanges(this.#handle, this.#reader, this.#indexes);
    this.#maintenance = new Maintenance(this.#handle, this.#indexes);
    const { signal } = this.#closing;
    this.#slot = new EmbedderSlot(options.embedder, (embedder) => this.#backfill(embedder), signal);
    const events = {
      embedder: () => this.#slot.ready(),
      written: (embedded: boolean) => this.#written(embedded),
    };
    this.#writer = new Writer(this.#changes, events, signal);
  }

  /** Answers one request; what it is asked is checked here. */
  async handle(method: Method, params: unknown, signal: AbortSignal): Promise<Result<Values[Method]>> {
    this.#warmUp();
    try {
      const result = await this.#dispatch(method, params, signal);
      return signal.aborted && !result.ok ? { ok: false, failure: CANCELLED } : result;
    } catch (error) {
      return failed("internal", "Memory failed in an unexpected way.", { cause: shortCause(error) });
    }
  }

  /** Says how far the download of the model is, 0..100. */
  downloaded(percent: number): void {
    this.#slot.progressed(percent);
  }

  /** Writes what was given to write, stops what runs in the background and waits for it, so that no lock is left. */
  async close(): Promise<void> {
    await this.#writer.flush();
    this.#closing.abort();
    await this.#background;
    this.#handle.close();
  }

  /** Resolves when nothing runs in the background. */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.#background) {
      seen = this.#background;
      await seen;
    }
  }

  async #dispatch(method: Method, params: unknown, signal: AbortSignal): Promise<Result<Values[Method]>> {
    switch (method) {
      case "search":
        return this.#checked("search", params, (query) => this.#search(query, signal));
      case "add":
        return this.#checked("add", params, ({ episodes }) => this.#writer.add(episodes, signal));
      case "list":
        return this.#checked("list", params, (page) => this.#reader.list(page, signal));
      case "forget":
        return this.#checked("forget", params, ({ ids }) => this.#forget(ids, signal));
      case "status":
        return this.#status(signal);
    }
  }

  async #checked<M extends Method>(
    method: M,
    params: unknown,
    run: (params: Params<M>) => Promise<Result<Values[M]>>,
  ): Promise<Result<Values[M]>> {
    const read = readParams(method, params);
    return read.ok ? run(read.value) : read;
  }

  async #search(query: Params<"search">, signal: AbortSignal): Promise<Result<Values["search"]>> {
    const vector = await this.#slot.get(EMBEDDER_PATIENCE_MS, signal);
    return signal.aborted ? { ok: false, failure: CANCELLED } : retrieve(this.#reader, query, vector, signal);
  }

  async #forget(ids: readonly string[], signal: AbortSignal): Promise<Result<Values["forget"]>> {
    const removed = await this.#changes.forget(ids, signal);
    if (removed.ok && removed.value > 0) {
      this.#inBackground(async (closing) =>
        this.#report(await this.#maintenance.run(closing), "maintenance"),
      );
    }
    return removed.ok ? success({ removed: removed.value }) : removed;
  }

  async #status(signal: AbortSignal): Promise<Result<HostStatus>> {
    const episodes = await this.#reader.count(signal);
    if (!episodes.ok) return episodes;
    const { embedder, note } = this.#slot.state;
    return success({
      episodes: episodes.value,
      ...(embedder === undefined ? {} : { embedder: embedder.model }),
      ...(note === undefined ? {} : { message: note }),
    });
  }

  /** What earlier windows left to do is done once, after the first request was taken on. */
  #warmUp(): void {
    if (this.#warm) return;
    this.#warm = true;
    this.#inBackground(async (signal) => {
      if (await this.#maintenance.overdue(signal)) {
        this.#report(await this.#maintenance.run(signal), "maintenance");
      }
    });
  }

  #written(embedded: boolean): void {
    const embedder = this.#slot.state.embedder;
    if (!embedded && embedder !== undefined) this.#backfill(embedder);
    const due = this.#maintenance.written();
    this.#inBackground(async (signal) => {
      this.#report(await this.#indexes.ensure(signal), "index");
      if (due) this.#report(await this.#maintenance.run(signal), "maintenance");
    });
  }

  #backfill(embedder: Embedder): void {
    this.#inBackground(async (signal) => {
      const onBatch = (done: number): void =>
        this.#options.onProgress({
          task: "embed",
          message: `${done} earlier ${done === 1 ? "memory" : "memories"} can now be found by meaning.`,
        });
      const store = { reader: this.#reader, changes: this.#changes, lock: this.#handle.lock };
      this.#report(await backfill(store, embedder, signal, onBatch), "embedding");
    });
  }

  #inBackground(work: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.#closing;
    this.#background = this.#background
      .then(() => (signal.aborted ? undefined : work(signal)))
      .catch((error: unknown) => this.#options.onLog(`background: ${shortCause(error)}`));
  }

  #report(result: Result<unknown>, what: string): void {
    if (!result.ok && !this.#closing.signal.aborted) {
      this.#options.onLog(oneLine(`${what}: ${sentences(result.failure)}`, 1_000));
    }
  }
}

function sentences(failure: Failure): string {
  return failure.cause === undefined ? failure.message : `${failure.message} (${failure.cause})`;
}

import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import type { Episode, MemoryQuery, MemorySearch } from "../../agent/memory/port.ts";
import { systemTimer, type Timer } from "../../agent/timer.ts";
import { systemTimeZone } from "../../agent/time/civil.ts";
import { embedTexts } from "../embed/embed-texts.ts";
import { embedTurns } from "../embed/embed-turns.ts";
import { EmbedderSlot } from "../embed/embedder-slot.ts";
import type { EmbedderSource } from "../embed/embedder.ts";
import { EmbeddingJob } from "../embed/embedding-job.ts";
import { episodeSource, windowSource } from "../embed/episode-sources.ts";
import { Priority } from "../embed/priority.ts";
import { searchAll } from "../graph/search-all.ts";
import { RerankerSlot, type RerankerSource } from "../retrieval/reranker-slot.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import { StoreCandidates } from "../retrieval/store-candidates.ts";
import type { DatabaseOptions } from "../store/database.ts";
import { Maintenance } from "../store/maintenance.ts";
import { Writer } from "../store/writer.ts";
import { Background } from "./background.ts";
import { shortCause } from "../causes.ts";
import { partHandlers, type Handler, type Handlers } from "./handlers.ts";
import type { Method } from "./params.ts";
import { makeParts, type Parts } from "./parts.ts";
import type { MemoryProgress } from "./protocol.ts";
import { readParams } from "./protocol.ts";
import type { HostStatus, Values } from "./values.ts";

/** How long a search waits for the embedding model to load from disk. */
const EMBEDDER_PATIENCE_MS = 4_000;

/** With nothing asked for so long, what was written is put in order, in milliseconds. */
const IDLE_MS = 15_000;
/** How long for the reranker, when a search wants it. */
const RERANKER_PATIENCE_MS = 4_000;

/** What leaves rows without an embedding behind; those of turns see to it themselves. */
const UNEMBEDDED: ReadonlySet<Method> = new Set([
  "annotate",
  "learn",
  "keep",
  "saveMoments",
  "edit",
  "forget",
  "importLines",
]);

/** What the service is made of. */
export interface ServiceOptions {
  readonly store: DatabaseOptions;
  readonly embedder: EmbedderSource;
  /** Gives the reranker, which is asked for once a search wants it; none when left out. */
  readonly reranker?: RerankerSource;
  readonly onProgress: (progress: MemoryProgress) => void;
  /** Takes one line about what went wrong behind the scenes. */
  readonly onLog: (line: string) => void;
  /** Milliseconds since the epoch; the system's when left out. */
  readonly now?: () => number;
  readonly timer?: Timer;
}

/** All that the memory process does, without the process. Requests never reject. */
export class MemoryService {
  readonly #options: ServiceOptions;
  readonly #parts: Parts;
  readonly #candidates: StoreCandidates;
  readonly #writer: Writer;
  readonly #maintenance: Maintenance;
  readonly #slot: EmbedderSlot;
  readonly #rerankers: RerankerSlot | undefined;
  readonly #job: EmbeddingJob;
  readonly #priority = new Priority();
  readonly #background: Background;
  readonly #handlers: Handlers;
  #warm = false;
  #cancelIdle: () => void = () => undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#background = new Background(options.onLog);
    const { signal } = this.#background;
    this.#slot = new EmbedderSlot(options.embedder, (embedder) => this.#job.start(embedder), signal);
    if (options.reranker !== undefined) this.#rerankers = new RerankerSlot(options.reranker, signal);
    const { now } = options;
    this.#parts = makeParts({
      store: { ...options.store, onNote: options.onLog },
      embedder: () => this.#slot.ready(),
      ...(now === undefined ? {} : { now }),
    });
    this.#candidates = new StoreCandidates(this.#parts);
    this.#maintenance = new Maintenance(this.#parts.database, { now: this.#parts.now });
    this.#writer = new Writer(
      {
        episodes: this.#parts.episodes,
        forgotten: (turnIds, stop) => this.#parts.forgetting.forgotten(turnIds, stop),
        onWritten: (episodes) => this.#written(episodes),
      },
      signal,
    );
    this.#job = this.#makeJob();
    this.#handlers = {
      ...partHandlers(this.#parts),
      search: (query, stop) => this.#search(query, stop),
      searchAll: (query, stop) => this.#searchAll(query, stop),
      add: ({ episodes }, stop) => this.#writer.add(episodes, stop),
      embedding: ({ action }) => Promise.resolve(success({ changed: this.#setEmbedding(action) })),
      embed: (params, stop) => embedTexts(this.#slot, params, stop),
      status: (_params, stop) => this.#status(stop),
    };
  }

  /** Answers one request; what it is asked is checked here. */
  async handle(method: Method, params: unknown, signal: AbortSignal): Promise<Result<Values[Method]>> {
    this.#warmUp();
    this.#cancelIdle();
    try {
      const result = await this.#priority.first(() => this.#checked(method, params, signal));
      if (result.ok && UNEMBEDDED.has(method)) this.#job.wake();
      if (method === "forget") this.#index();
      this.#maintain("due");
      return signal.aborted && !result.ok ? { ok: false, failure: CANCELLED } : result;
    } catch (error) {
      return failed("internal", "Memory failed in an unexpected way.", { cause: shortCause(error) });
    } finally {
      this.#cancelIdle();
      this.#cancelIdle = (this.#options.timer ?? systemTimer)(IDLE_MS, () => this.#maintain("worthIt"));
    }
  }

  /** Says how far the download of the model is, 0..100. */
  downloaded(percent: number): void {
    this.#slot.progressed(percent);
  }

  /** Says how far the download of the reranker's model is, 0..100. */
  rerankerDownloaded(percent: number): void {
    this.#rerankers?.progressed(percent);
  }

  /** Writes what was given to write, stops what runs in the background and waits for it, so that no lock is left. */
  async close(): Promise<void> {
    this.#cancelIdle();
    await this.#writer.flush();
    await Promise.all([this.#job.close(), this.#background.close()]);
    this.#parts.database.close();
  }

  /** Resolves when nothing runs in the background. */
  async settled(): Promise<void> {
    await this.#background.settled();
    await this.#job.settled();
    await this.#background.settled();
  }

  #makeJob(): EmbeddingJob {
    const { vectors, facts, graph, resources, moments, database } = this.#parts;
    return new EmbeddingJob({
      vectors,
      sources: [
        episodeSource(this.#parts),
        windowSource(this.#parts),
        facts.embeddingSource(),
        graph.embeddingSource(),
        resources.embeddingSource(),
        moments.embeddingSource(),
      ],
      priority: this.#priority,
      lock: database.lockNamed("embedding.lock"),
      onProgress: ({ message, percent }) => this.#options.onProgress({ task: "embed", message, percent }),
      onLog: this.#options.onLog,
    });
  }

  async #checked<M extends Method>(
    method: M,
    params: unknown,
    signal: AbortSignal,
  ): Promise<Result<Values[M]>> {
    const read = readParams(method, params);
    if (!read.ok) return read;
    const handler: Handler<M> = this.#handlers[method];
    return handler(read.value, signal);
  }

  async #search(query: MemoryQuery, signal: AbortSignal): Promise<Result<MemorySearch>> {
    const [vector, reranking] = await Promise.all([
      this.#slot.get(EMBEDDER_PATIENCE_MS, signal),
      query.settings?.rerank === true ? this.#rerankers?.get(RERANKER_PATIENCE_MS, signal) : undefined,
    ]);
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const timeZone = systemTimeZone();
    return retrieve(
      { source: this.#candidates, vector, reranking, now: this.#parts.now, timeZone },
      query,
      signal,
    );
  }

  #searchAll(query: MemoryQuery, signal: AbortSignal): Promise<Result<Values["searchAll"]>> {
    const { facts, graph, resources, moments, now } = this.#parts;
    return searchAll(
      { search: (asked, stop) => this.#search(asked, stop), facts, graph, resources, moments, now },
      query,
      signal,
    );
  }

  #setEmbedding(action: "stop" | "start"): boolean {
    if (action === "stop") return this.#job.cancel();
    const embedder = this.#slot.ready();
    if (embedder === undefined || this.#job.state.state !== "stopped") return false;
    this.#job.start(embedder);
    return true;
  }

  async #status(signal: AbortSignal): Promise<Result<HostStatus>> {
    const [episodes, facts] = await Promise.all([
      this.#parts.episodes.countRows(signal),
      this.#parts.facts.store.table.count(undefined, signal),
    ]);
    if (!episodes.ok) return episodes;
    const { embedder, note } = this.#slot.state;
    const { state, remaining, message: embedding } = this.#job.state;
    // Embedding that is under way, here or in another window, is no trouble.
    const doing = state === "running" || state === "elsewhere" ? embedding : undefined;
    const trouble = doing === undefined ? embedding : undefined;
    const message = note ?? embedder?.note ?? trouble ?? this.#maintenance.failure;
    return success({
      episodes: episodes.value,
      ...(facts.ok ? { facts: facts.value } : {}),
      ...(embedder === undefined ? {} : { embedder: embedder.model }),
      ...(remaining === 0 ? {} : { waiting: remaining }),
      ...(message === undefined ? {} : { message }),
      ...(doing === undefined ? {} : { doing }),
    });
  }

  /** What earlier windows left to do is done once, after the first request was taken on. */
  #warmUp(): void {
    if (this.#warm) return;
    this.#warm = true;
    this.#background.run("maintenance", async (signal) =>
      (await this.#maintenance.overdue(signal)) ? this.#maintenance.run(signal) : success(false),
    );
  }

  #written(episodes: readonly Episode[]): void {
    const embedder = this.#slot.ready();
    this.#background.run("embedding", async (signal) => {
      const embedded =
        embedder === undefined ? success(0) : await embedTurns(this.#parts, embedder, episodes, signal);
      // What could not be embedded at once is left to the job.
      if (embedder === undefined || !embedded.ok) this.#job.wake();
      return embedded;
    });
    this.#background.run("index", (signal) => this.#parts.episodes.table.ensureTextIndex(signal));
  }

  /** Forgetting takes the words of large tables away: they are made anew before a search has to wait for it. */
  #index(): void {
    for (const table of this.#parts.database.tables()) {
      this.#background.run("index", (signal) => table.ensureTextIndex(signal));
    }
  }

  /** Puts the tables in order where there is reason to: `due` after many writes, `worthIt` after any. */
  #maintain(reason: "due" | "worthIt"): void {
    const isNeeded = (): boolean =>
      reason === "due" ? this.#maintenance.due() : this.#maintenance.worthIt();
    if (this.#background.signal.aborted || !isNeeded()) return;
    // One that waited before this one may have done it.
    this.#background.run("maintenance", (signal) =>
      isNeeded() ? this.#maintenance.run(signal) : Promise.resolve(success(false)),
    );
  }
}

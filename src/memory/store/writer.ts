import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import type { Episode } from "../../agent/memory-port.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { EpisodeChanges } from "./changes.ts";
import type { NewRow } from "./rows.ts";
import { searchedText } from "./rows.ts";

/** Most episodes in one write. */
const BATCH = 256;
/** Most requests that wait to be written. */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly episodes: readonly Episode[];
  readonly signal: AbortSignal;
  readonly settle: (result: Result<{ readonly added: number }>) => void;
}

/** What the writer tells of each write. */
export interface WriterEvents {
  /** The embedder, if one is ready now: a write never waits for it. */
  readonly embedder: () => Embedder | undefined;
  /** A write is on disk; `embedded` is false when its rows still wait for embeddings. */
  readonly written: (embedded: boolean) => void;
}

/** Writes episodes one batch after the other: what arrives during a write goes together into the next. */
export class Writer {
  readonly #changes: EpisodeChanges;
  readonly #events: WriterEvents;
  readonly #signal: AbortSignal;
  #waiting: Waiting[] = [];
  #run: Promise<void> | undefined;

  constructor(changes: EpisodeChanges, events: WriterEvents, signal: AbortSignal) {
    this.#changes = changes;
    this.#events = events;
    this.#signal = signal;
  }

  /** Resolves once the episodes are on disk. Cancelling takes effect until their write begins. */
  add(episodes: readonly Episode[], signal: AbortSignal): Promise<Result<{ readonly added: number }>> {
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.resolve(
        failed("memory_unavailable", "Memory has too much to write at once. Try again."),
      );
    }
    return new Promise((settle) => {
      this.#waiting.push({ episodes, signal, settle });
      this.#run ??= this.#writeAll();
    });
  }

  /** Resolves when nothing waits to be written. */
  async flush(): Promise<void> {
    await this.#run;
  }

  async #writeAll(): Promise<void> {
    // What is asked for in the same moment goes into the first write too.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      await this.#write(this.#take());
    }
    this.#run = undefined;
  }

  #take(): Waiting[] {
    let rows = 0;
    let count = 0;
    for (const { episodes } of this.#waiting) {
      rows += episodes.length;
      if (count > 0 && rows > BATCH) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    batch
      .filter(({ signal }) => signal.aborted)
      .forEach(({ settle }) => settle({ ok: false, failure: CANCELLED }));
    const wanted = batch.filter(({ signal }) => !signal.aborted);
    const rows = await this.#embedded(wanted.flatMap(({ episodes }) => episodes));
    const written =
      rows.length === 0 ? success(new Set<string>()) : await this.#changes.append(rows, this.#signal);
    if (!written.ok) {
      wanted.forEach(({ settle }) => settle(written));
      return;
    }
    const fresh = new Set(written.value);
    for (const { episodes, settle } of wanted) {
      // An id that two requests bring counts for the first of them.
      const added = episodes.filter(({ id }) => fresh.delete(id.toLowerCase())).length;
      settle(success({ added }));
    }
    if (written.value.size > 0) this.#events.written(rows.every(({ embedding }) => embedding !== undefined));
  }

  async #embedded(episodes: readonly Episode[]): Promise<readonly NewRow[]> {
    const embedder = this.#events.embedder();
    const vectors =
      embedder === undefined || episodes.length === 0
        ? undefined
        : await embedder.embed(episodes.map(searchedText), this.#signal);
    return episodes.map((episode, index) => {
      const embedding = vectors?.ok === true ? vectors.value[index] : undefined;
      return embedding === undefined || embedder === undefined
        ? { episode }
        : { episode, embedding, embeddingModel: embedder.model };
    });
  }
}

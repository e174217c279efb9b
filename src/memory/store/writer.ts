import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import type { Episode } from "../../agent/memory/port.ts";
import type { EpisodeTable } from "./episodes.ts";

/** Most episodes in one write. */
const BATCH = 256;
/** Most requests that wait to be written. */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly episodes: readonly Episode[];
  readonly signal: AbortSignal;
  readonly settle: (result: Result<{ readonly added: number }>) => void;
}

/** What the writer works with. */
export interface WriterOptions {
  readonly episodes: EpisodeTable;
  /** Which of these turns were forgotten: one that was while it ran is not remembered after it. */
  readonly forgotten: (
    turnIds: readonly string[],
    signal: AbortSignal,
  ) => Promise<Result<ReadonlySet<string>>>;
  /** Told of the episodes that came new onto the disk. */
  readonly onWritten: (episodes: readonly Episode[]) => void;
}

/** Writes episodes one batch after the other: what arrives during a write goes together into the next. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #signal: AbortSignal;
  #waiting: Waiting[] = [];
  #run: Promise<void> | undefined;

  constructor(options: WriterOptions, signal: AbortSignal) {
    this.#options = options;
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
    const written = await this.#append(wanted.flatMap((each) => each.episodes));
    if (!written.ok) {
      wanted.forEach(({ settle }) => settle(written));
      return;
    }
    const fresh = new Set(written.value);
    const added: Episode[] = [];
    for (const each of wanted) {
      // An id that two requests bring counts for the first of them.
      const own = each.episodes.filter(({ id }) => fresh.delete(id.toLowerCase()));
      added.push(...own);
      each.settle(success({ added: own.length }));
    }
    if (added.length > 0) this.#options.onWritten(added);
  }

  /** Gives the ids of the episodes that came new onto the disk. */
  async #append(episodes: readonly Episode[]): Promise<Result<ReadonlySet<string>>> {
    if (episodes.length === 0) return success(new Set<string>());
    const gone = await this.#options.forgotten(
      episodes.map(({ turnId }) => turnId),
      this.#signal,
    );
    if (!gone.ok) return gone;
    const kept = episodes.filter(({ turnId }) => !gone.value.has(turnId));
    return this.#options.episodes.append(kept, this.#signal);
  }
}

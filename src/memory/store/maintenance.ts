import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import { onLatest } from "./conflicts.ts";
import type { Indexes } from "./indexes.ts";
import { VECTOR_INDEX_ROWS } from "./indexes.ts";
import type { StoreHandle } from "./store.ts";

/** After so many writes the table's many small files are put together. */
export const WRITES_BETWEEN = 100;
/** Older versions are kept this long: other windows may still read from them. */
const KEEP_VERSIONS_MS = 2 * 60 * 60 * 1_000;

/** Keeps the table small and fast. Of all windows one does it at a time; the others leave it to that one. */
export class Maintenance {
  readonly #handle: StoreHandle;
  readonly #index: Indexes;
  readonly #vectorIndexRows: number;
  #writes = 0;

  constructor(handle: StoreHandle, index: Indexes, vectorIndexRows = VECTOR_INDEX_ROWS) {
    this.#handle = handle;
    this.#index = index;
    this.#vectorIndexRows = vectorIndexRows;
  }

  /** Counts a write and says whether it is time for `run`. */
  written(): boolean {
    this.#writes += 1;
    return this.#writes >= WRITES_BETWEEN;
  }

  /** Says whether earlier windows left so many small files that it is time for `run`. */
  async overdue(signal: AbortSignal): Promise<boolean> {
    const opened = await this.#handle.read(signal);
    if (!opened.ok || opened.value === undefined || opened.value.readOnly) return false;
    const stats = await opened.value.table.stats().catch(() => undefined);
    return (stats?.fragmentStats.numSmallFragments ?? 0) >= WRITES_BETWEEN;
  }

  /** Puts files together, brings indexes up to date and drops old versions; false when another window is at it. */
  async run(signal: AbortSignal): Promise<Result<boolean>> {
    const opened = await this.#handle.write(signal);
    if (!opened.ok) return opened;
    const table = opened.value;
    const done = await this.#handle.lock.tryRun(async () => {
      await onLatest(table, () => this.#index.ensureVector(table, this.#vectorIndexRows));
      await onLatest(table, () =>
        table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) }),
      );
    });
    if (done === "busy") return success(false);
    this.#writes = 0;
    return done.ok ? success(true) : done;
  }
}

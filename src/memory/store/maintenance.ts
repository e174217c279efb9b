import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { onLatest } from "./conflicts.ts";
import type { Database } from "./database.ts";
import type { IndexLimits } from "./indexes.ts";
import { SCALAR_INDEX_ROWS, VECTOR_INDEX_ROWS } from "./indexes.ts";
import { pruneVersions } from "./prune.ts";
import type { StoreTable } from "./table.ts";

/** After so many writes a table's many small files are put together. */
export const WRITES_BETWEEN = 100;
/**
 * After so many writes the store is connected to anew. The library's caches keep something of each version there was:
 * after 10,000 turns a search takes twice as long by a connection that saw all of them as by a new one.
 */
const WRITES_BETWEEN_CONNECTIONS = 1_000;
/** Older versions are kept this long: other windows may still read from them. */
const KEEP_MS = 2 * 60 * 60 * 1_000;
/** But no more than so many of them, except those that a read which began just now may be at. */
const KEEP_VERSIONS = 20;
const READ_MS = 10_000;

/** What maintenance may be told otherwise. */
export interface MaintenanceOptions {
  readonly limits?: Partial<IndexLimits>;
  /** Writes, of all tables, after which the store is connected to anew. */
  readonly writesBetweenConnections?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Keeps the tables small and fast. Of all windows one does it at a time; the others leave it to that one. */
export class Maintenance {
  readonly #database: Database;
  readonly #limits: IndexLimits;
  readonly #now: () => number;
  readonly #writesBetweenConnections: number;
  /** Since the store was connected to; those of the tables that were maintained meanwhile. */
  #writes = 0;
  #failure: string | undefined;
  /** Versions were left that are too many, but too young. */
  #leftOver = false;

  constructor(database: Database, { limits, now, writesBetweenConnections }: MaintenanceOptions = {}) {
    this.#database = database;
    this.#limits = { vector: VECTOR_INDEX_ROWS, scalar: SCALAR_INDEX_ROWS, ...limits };
    this.#now = now ?? Date.now;
    this.#writesBetweenConnections = writesBetweenConnections ?? WRITES_BETWEEN_CONNECTIONS;
  }

  /** A sentence for people while maintenance fails. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether there were so many writes that it is time for `run`. */
  due(): boolean {
    return this.#database.tables().some(({ writes }) => writes >= WRITES_BETWEEN);
  }

  /** Whether `run` would find anything to do: to be asked when nothing was written for some seconds. */
  worthIt(): boolean {
    return this.#leftOver || this.#database.tables().some(({ writes }) => writes > 0);
  }

  /** Whether earlier windows left so many small files that it is time for `run`. */
  async overdue(signal: AbortSignal): Promise<boolean> {
    for (const each of this.#database.tables()) {
      const table = await each.writable(signal);
      const stats = await table?.stats().catch(() => undefined);
      if ((stats?.fragmentStats.numSmallFragments ?? 0) >= WRITES_BETWEEN) return true;
    }
    return false;
  }

  /**
   * Puts files together, brings indexes up to date and drops old versions of all tables that were asked for; false when
   * another window was at one of them. A table where it fails does not keep it from the others.
   */
  async run(signal: AbortSignal): Promise<Result<boolean>> {
    let free = true;
    const failures: string[] = [];
    this.#leftOver = false;
    for (const each of this.#database.tables()) {
      if (signal.aborted) break;
      const table = await each.writable(signal);
      if (table === undefined) continue;
      const done = await each.upkeep.tryRun(() => this.#maintain(each, table));
      if (done === "busy") {
        free = false;
      } else if (done.ok) {
        this.#writes += each.writes;
        each.maintained();
      } else {
        failures.push(`${each.spec.name}: ${done.failure.cause ?? done.failure.message}`);
      }
    }
    if (this.#writes >= this.#writesBetweenConnections) {
      this.#writes = 0;
      this.#database.renew();
    }
    this.#failure =
      failures.length === 0 ? undefined : `The memory store could not be tidied up: ${failures.join("; ")}`;
    return failures.length === 0
      ? success(free)
      : failed("memory_unavailable", "The memory store could not be tidied up.", {
          cause: failures.join("; "),
        });
  }

  async #maintain(each: StoreTable, table: Table): Promise<void> {
    const { spec } = each;
    await onLatest(table, async () => spec.tidy?.(table));
    await onLatest(table, () => each.indexes.ensureLarge(table, this.#limits));
    const cleanupOlderThan = await this.#cleanBefore(table);
    try {
      await onLatest(table, () => table.optimize({ cleanupOlderThan }));
    } catch (error) {
      const { folder } = this.#database;
      if (folder !== undefined) {
        await pruneVersions(join(folder, `${each.spec.name}.lance`), cleanupOlderThan.getTime());
      }
      throw error;
    }
    this.#leftOver ||= (await table.listVersions()).length > 2 * KEEP_VERSIONS;
  }

  async #cleanBefore(table: Table): Promise<Date> {
    const now = this.#now();
    const versions = await table.listVersions();
    const kept = versions.map(({ timestamp }) => timestamp.getTime()).sort((a, b) => b - a)[KEEP_VERSIONS];
    return new Date(Math.max(now - KEEP_MS, Math.min(kept ?? 0, now - READ_MS)));
  }
}

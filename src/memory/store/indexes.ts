import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, success } from "../../agent/failure.ts";
import { onLatest } from "./conflicts.ts";
import { damaged } from "./failures.ts";
import type { Library, TableHome } from "./home.ts";
import type { StoreLock } from "./lock.ts";
import type { OpenTable } from "./opening.ts";
import type { TableSpec } from "./spec.ts";
import { untilAborted } from "./until-aborted.ts";

/** A search waits no longer for a window that is at the indexes, in milliseconds. */
const PATIENCE_MS = 500;

/** From this many rows on a search without a vector index takes too long; below it none is needed. */
export const VECTOR_INDEX_ROWS = 30_000;
/** From this many rows on columns that are filtered by get an index. */
export const SCALAR_INDEX_ROWS = 20_000;

/** Below so many rows the full-text index is brought up to date before each search; above, by maintenance. */
const UP_TO_DATE_ROWS = 5_000;

/** From how many rows on which index is made. */
export interface IndexLimits {
  readonly vector: number;
  readonly scalar: number;
}

/** The indexes of a table: the one for full text exists from the first rows on, others once there are many. */
export class Indexes {
  readonly #home: TableHome;
  readonly #spec: TableSpec;
  /** The index for full text that is being made: whoever needs it meanwhile waits for that one. */
  #making: Promise<boolean> | undefined;

  constructor(home: TableHome, spec: TableSpec) {
    this.#home = home;
    this.#spec = spec;
  }

  /**
   * Makes the index for full text where it is missing, and says whether there is one. Never on an empty table: such an
   * index finds nonsense, without an error.
   */
  async ensureText(
    { table, readOnly }: OpenTable,
    lock: StoreLock,
    signal: AbortSignal,
  ): Promise<Result<boolean>> {
    if (this.#spec.textColumn === undefined) return success(false);
    try {
      if (await hasIndex(table, this.#spec.textColumn)) {
        if (!readOnly && (await isBehind(table, this.#spec.textColumn))) {
          // When it fails or another window is at it, the search goes on with the index as it is.
          await lock.run(() => onLatest(table, () => table.optimize()), signal, PATIENCE_MS);
        }
        return success(true);
      }
      if (readOnly || (await table.countRows()) === 0) return success(false);
    } catch (error) {
      return { ok: false, failure: damaged(this.#home.uri, error) };
    }
    const create = (): Promise<boolean> => {
      this.#making ??= onLatest(table, () => this.#createMissing(table)).finally(() => {
        this.#making = undefined;
      });
      return this.#making;
    };
    const locked = await lock.run(create, signal, PATIENCE_MS);
    if (locked.ok || locked.failure.code !== "timeout") return locked;
    // The holder may have been killed. The lock only spares double work here, so a search need not wait for it.
    try {
      const made = await untilAborted(create(), signal);
      return made === "aborted" ? { ok: false, failure: CANCELLED } : success(made.value);
    } catch (error) {
      return { ok: false, failure: damaged(this.#home.uri, error) };
    }
  }

  /**
   * Has no word of rows that are gone left in the index for full text; under the table's lock. For few rows it is made
   * anew at once; the one of a large table is taken away, since making it takes many seconds: the next who needs it
   * makes it.
   */
  async renewText(table: Table): Promise<void> {
    const column = this.#spec.textColumn;
    if (column === undefined) return;
    const rows = await table.countRows();
    if (rows > 0 && rows < UP_TO_DATE_ROWS) {
      await this.#createText(table, column);
    } else if (await hasIndex(table, column)) {
      await table.dropIndex(indexName(column));
    }
  }

  /** Makes the indexes that a large table needs once there are enough rows; under the table's lock. */
  async ensureLarge(table: Table, limits: IndexLimits): Promise<void> {
    const rows = await table.countRows();
    const { vectorColumn, indexed = {} } = this.#spec;
    const { Index } = await this.#library();
    for (const [column, kind] of Object.entries(indexed)) {
      if (rows < limits.scalar || (await hasIndex(table, column))) continue;
      await table.createIndex(column, { config: kind === "btree" ? Index.btree() : Index.bitmap() });
    }
    if (vectorColumn !== undefined && rows >= limits.vector && !(await hasIndex(table, vectorColumn))) {
      await table.createIndex(vectorColumn, { config: Index.hnswSq({ distanceType: "cosine" }) });
    }
  }

  async #createMissing(table: Table): Promise<boolean> {
    const column = this.#spec.textColumn ?? "";
    if (!(await hasIndex(table, column)) && (await table.countRows()) > 0) {
      await this.#createText(table, column);
    }
    return hasIndex(table, column);
  }

  async #createText(table: Table, column: string): Promise<void> {
    const { Index } = await this.#library();
    await table.createIndex(column, {
      config: Index.fts({
        withPosition: false,
        baseTokenizer: "simple",
        language: "English",
        lowercase: true,
        stem: true,
        removeStopWords: true,
        asciiFolding: true,
      }),
      replace: true,
    });
  }

  async #library(): Promise<Library> {
    const library = await this.#home.loadLibrary();
    if (!library.ok) throw new Error(library.failure.message);
    return library.value;
  }
}

function indexName(column: string): string {
  return `${column}_idx`;
}

/**
 * Whether a small table has rows that its full-text index does not hold yet. The library searches such rows too, but
 * counts each occurrence of a word as a row of its own: in a small table a word of the new row then counts as one that
 * all rows hold, and the row is not found.
 */
async function isBehind(table: Table, column: string): Promise<boolean> {
  if ((await table.countRows()) >= UP_TO_DATE_ROWS) return false;
  const stats = await table.indexStats(indexName(column));
  return (stats?.numUnindexedRows ?? 0) > 0;
}

async function hasIndex(table: Table, column: string): Promise<boolean> {
  return (await table.listIndices()).some(({ name }) => name === indexName(column));
}

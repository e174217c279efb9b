import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import { onLatest } from "./conflicts.ts";
import type { Library, StoreHandle } from "./store.ts";

const TEXT_INDEX = "text_idx";
const VECTOR_INDEX = "embedding_idx";
/** A search waits no longer for a window that is at the indexes, in milliseconds. */
const PATIENCE_MS = 500;

/** From this many rows on a search without a vector index takes too long; below it none is needed. */
export const VECTOR_INDEX_ROWS = 30_000;

/** The indexes of the table: the one for full text exists from the first rows on. */
export class Indexes {
  readonly #handle: StoreHandle;

  constructor(handle: StoreHandle) {
    this.#handle = handle;
  }

  /**
   * Makes the index for full text where it is missing, and says whether there is one. Never on an empty table: such an
   * index finds nonsense, without an error.
   */
  async ensure(signal: AbortSignal): Promise<Result<boolean>> {
    const opened = await this.#handle.read(signal);
    if (!opened.ok) return opened;
    if (opened.value === undefined) return success(false);
    const { table, readOnly } = opened.value;
    try {
      if (await hasIndex(table, TEXT_INDEX)) return success(true);
      if (readOnly || (await table.countRows()) === 0) return success(false);
    } catch (error) {
      return { ok: false, failure: this.#handle.damaged(error) };
    }
    const create = (): Promise<boolean> => onLatest(table, () => this.#createMissing(table));
    const locked = await this.#handle.lock.run(create, signal, PATIENCE_MS);
    if (locked.ok || locked.failure.code !== "timeout") return locked;
    // The holder may have been killed. The lock only spares double work here, so a search need not wait for it.
    return create().then(success, (error: unknown) => ({ ok: false, failure: this.#handle.damaged(error) }));
  }

  /** Makes the index for full text anew, or takes it away with the last row; under the store's lock. */
  async rebuild(table: Table): Promise<void> {
    if ((await table.countRows()) > 0) {
      await this.#createText(table);
    } else if (await hasIndex(table, TEXT_INDEX)) {
      await table.dropIndex(TEXT_INDEX);
    }
  }

  /** Makes the vector index once there are enough rows; under the store's lock. */
  async ensureVector(table: Table, rowsNeeded: number): Promise<void> {
    if (
      (await hasIndex(table, VECTOR_INDEX)) ||
      (await table.countRows("embedding IS NOT NULL")) < rowsNeeded
    ) {
      return;
    }
    const { Index } = await this.#library();
    await table.createIndex("embedding", { config: Index.hnswSq({ distanceType: "cosine" }) });
  }

  async #createMissing(table: Table): Promise<boolean> {
    if (!(await hasIndex(table, TEXT_INDEX)) && (await table.countRows()) > 0) await this.#createText(table);
    return hasIndex(table, TEXT_INDEX);
  }

  async #createText(table: Table): Promise<void> {
    const { Index } = await this.#library();
    await table.createIndex("text", {
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
    const library = await this.#handle.library();
    if (!library.ok) throw new Error(library.failure.message);
    return library.value;
  }
}

async function hasIndex(table: Table, name: string): Promise<boolean> {
  return (await table.listIndices()).some((index) => index.name === name);
}

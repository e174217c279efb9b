import type { Table } from "@lancedb/lancedb";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { shortCause } from "../process/causes.ts";
import { onLatest } from "./conflicts.ts";
import type { Indexes } from "./indexes.ts";
import type { EpisodeReader } from "./reader.ts";
import { IDS_PER_FILTER, presentIds } from "./reader.ts";
import type { NewRow, StoredRow } from "./rows.ts";
import { DIMENSIONS, toRow } from "./rows.ts";
import { isOneOf, validIds } from "./sql.ts";
import type { StoreHandle } from "./store.ts";

/** Everything that changes the table of episodes. Nothing here throws. */
export class EpisodeChanges {
  readonly #handle: StoreHandle;
  readonly #reader: EpisodeReader;
  readonly #indexes: Indexes;

  constructor(handle: StoreHandle, reader: EpisodeReader, indexes: Indexes) {
    this.#handle = handle;
    this.#reader = reader;
    this.#indexes = indexes;
  }

  /** Adds rows in one write and gives the ids that were new: rows whose id exists are left as they are. */
  async append(rows: readonly NewRow[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    const opened = await this.#handle.write(signal);
    if (!opened.ok) return opened;
    const table = opened.value;
    const unique = new Map(rows.map((row) => [row.episode.id.toLowerCase(), row]));
    try {
      return success(
        await onLatest(table, async () => {
          const known = await presentIds(table, [...unique.keys()]);
          const fresh = [...unique].filter(([id]) => !known.has(id));
          if (fresh.length > 0) await table.add(fresh.map(([, row]) => toRow(row)));
          return new Set(fresh.map(([id]) => id));
        }),
      );
    } catch (error) {
      return failed("memory_unavailable", "The memory could not be written.", { cause: shortCause(error) });
    }
  }

  /** Removes rows by id, from the disk too, and gives how many there were. */
  async forget(ids: readonly string[], signal: AbortSignal): Promise<Result<number>> {
    const wanted = validIds(ids);
    const there = await this.#reader.present(wanted, signal);
    if (!there.ok) return there;
    if (there.value.size === 0) return success(0);
    const opened = await this.#handle.write(signal);
    if (!opened.ok) return opened;
    const removed = await this.#handle.lock.run(() => this.#remove(opened.value, wanted), signal);
    return removed.ok ? removed.value : removed;
  }

  /** Writes embeddings into rows that are still there; to be called under the store's lock. */
  async embed(
    embeddings: ReadonlyMap<string, Float32Array>,
    model: string,
    signal: AbortSignal,
  ): Promise<Result<number>> {
    const opened = await this.#handle.write(signal);
    if (!opened.ok) return opened;
    const table = opened.value;
    try {
      return success(
        await onLatest(table, async () => {
          const rows = await table
            .query()
            .where(isOneOf("id", [...embeddings.keys()]))
            .limit(embeddings.size)
            .toArray();
          const updated = rows
            .map((row) => withEmbedding(row, embeddings, model))
            .filter((row) => row !== undefined);
          if (updated.length > 0) {
            // Only matched rows: an insert could bring back what another window forgot, or double a row.
            await table.mergeInsert("id").whenMatchedUpdateAll().execute(updated);
          }
          return updated.length;
        }),
      );
    } catch (error) {
      return failed("memory_unavailable", "Embeddings could not be written.", {
        cause: shortCause(error),
      });
    }
  }

  async #remove(table: Table, ids: readonly string[]): Promise<Result<number>> {
    let removed = 0;
    for (let start = 0; start < ids.length; start += IDS_PER_FILTER) {
      const filter = isOneOf("id", ids.slice(start, start + IDS_PER_FILTER));
      const result = await onLatest(table, () => table.delete(filter));
      removed += result.numDeletedRows;
    }
    try {
      await this.#wipe(table);
      return success(removed);
    } catch (error) {
      return failed(
        "memory_unavailable",
        "The memories are removed, but their text is still in old files of the store: cleaning these failed.",
        { cause: shortCause(error) },
      );
    }
  }

  /** Takes what was deleted from the disk: out of its files, which other rows share, of the indexes and of old versions. */
  async #wipe(table: Table): Promise<void> {
    // Putting files together leaves one alone while little of it is deleted. Rows that are updated leave their file,
    // and with all of its rows gone the vector index goes too: maintenance makes it anew.
    await onLatest(table, () => table.update({ where: "true", valuesSql: { kind: "kind" } }));
    await onLatest(table, () => this.#indexes.rebuild(table));
    await onLatest(table, () => table.optimize({ cleanupOlderThan: new Date() }));
  }
}

function withEmbedding(
  row: unknown,
  embeddings: ReadonlyMap<string, Float32Array>,
  model: string,
): StoredRow | undefined {
  const parsed = z.object({ id: z.string() }).loose().safeParse(row);
  const embedding = parsed.success ? embeddings.get(parsed.data.id) : undefined;
  if (!parsed.success || embedding?.length !== DIMENSIONS) return undefined;
  return { ...(parsed.data as StoredRow), embedding: Array.from(embedding), embedding_model: model };
}

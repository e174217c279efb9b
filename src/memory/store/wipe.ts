import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { shortCause } from "../causes.ts";
import { onLatest } from "./conflicts.ts";
import type { TableHome } from "./home.ts";
import type { Indexes } from "./indexes.ts";
import { isBackupOf } from "./migrate.ts";
import { pruneVersions } from "./prune.ts";

/** Deletes rows, and gives how many there were; their text is on the disk until `cleanFiles`. Rejects as the library does. */
export async function deleteRows(table: Table, filters: readonly string[]): Promise<number> {
  let removed = 0;
  for (const filter of filters) {
    removed += (await onLatest(table, () => table.delete(filter))).numDeletedRows;
  }
  return removed;
}

/**
 * Deletes rows and takes what they held from the disk: out of its files, which other rows share, of the indexes, of old
 * versions and of backups. Gives how many there were. Under the table's locks; rejects when nothing could be deleted.
 */
export async function wipeRows(
  table: Table,
  filters: readonly string[],
  home: TableHome,
  indexes: Indexes,
): Promise<Result<number>> {
  const removed = await deleteRows(table, filters);
  const cleaned = await cleanFiles(table, home, indexes);
  return cleaned.ok ? success(removed) : cleaned;
}

/** Takes what deleted rows held from the disk. Under the table's locks. */
export async function cleanFiles(table: Table, home: TableHome, indexes: Indexes): Promise<Result<void>> {
  try {
    // Putting files together leaves one alone while little of it is deleted. Rows that are updated leave their file,
    // and with all of its rows gone the vector index goes too: maintenance makes it anew.
    await onLatest(table, () => table.update({ where: "true", valuesSql: { id: "id" } }));
    await onLatest(table, () => indexes.renewText(table));
    await cleanNow(table, home);
    await dropBackups(table.name, home);
    return success(undefined);
  } catch (error) {
    return failed(
      "memory_unavailable",
      "The memories are removed, but their text is still in old files of the store: cleaning these failed. Forget anything again to have it tried once more.",
      { cause: shortCause(error) },
    );
  }
}

async function cleanNow(table: Table, home: TableHome): Promise<void> {
  try {
    await onLatest(table, () => table.optimize({ cleanupOlderThan: new Date() }));
  } catch (error) {
    if (home.folder === undefined) throw error;
    // The library cleans only after it has put files together; what is to be forgotten can't wait for that to work.
    await pruneVersions(join(home.folder, `${table.name}.lance`), Number.POSITIVE_INFINITY);
  }
}

/** A copy that a migration made still holds what is forgotten. */
async function dropBackups(table: string, home: TableHome): Promise<void> {
  const connection = await home.connect();
  if (!connection.ok) return;
  for (const name of await home.tableNames()) {
    if (isBackupOf(table, name)) await connection.value.dropTable(name);
  }
}

import type { Connection, Table } from "@lancedb/lancedb";
import { Table as ArrowTable } from "apache-arrow";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { shortCause } from "../causes.ts";
import { onLatest } from "./conflicts.ts";
import type { TableHome } from "./home.ts";
import type { TableSpec } from "./spec.ts";
import { readVersion, writeVersion } from "./version.ts";

/**
 * Brings a table of an older version to the form of its spec, under the lock. First all rows are copied into a table
 * of their own, whose name is noted; each further step may be killed and is done again by the next who opens it. Rows
 * are counted before and after.
 */
export async function migrate(
  connection: Connection,
  spec: TableSpec,
  home: TableHome,
  signal: AbortSignal,
): Promise<Result<void>> {
  const table = await connection.openTable(spec.name);
  try {
    const from = readVersion(await table.schema()) ?? spec.version;
    const before = await table.countRows();
    const backup = before === 0 ? undefined : await backUp(connection, table, `${spec.name}_v${from}_backup`);
    if (backup !== undefined) {
      home.note(
        `The memory table ${spec.name} is of version ${from}: its ${before} rows were copied to ${backup} before it was brought to version ${spec.version}.`,
      );
    }
    for (const migration of spec.migrations.filter(({ to }) => to > from && to <= spec.version)) {
      await migration.run(table, { vectors: home.vectorSink(), signal });
    }
    await fitColumns(table, spec);
    const after = await table.countRows();
    // Windows of the older version may have added rows meanwhile, never removed them unasked.
    if (after < before)
      throw new Error(`${before} rows before, ${after} after; all are in ${backup ?? "no backup"}`);
    await onLatest(table, () => writeVersion(table, spec.version));
    return success(undefined);
  } catch (error) {
    return failed(
      "memory_unavailable",
      `The memory table ${spec.name} could not be brought to the form of this version. Nothing in it was lost.`,
      { cause: shortCause(error) },
    );
  } finally {
    table.close();
  }
}

/** The names of the copies that migrations made of a table. */
export function isBackupOf(table: string, name: string): boolean {
  return name.startsWith(`${table}_v`) && /_v\d+_backup(_\d+)?$/.test(name);
}

/** Copies a table; a whole copy from an earlier try is kept, half of one is made anew. */
async function backUp(connection: Connection, table: Table, name: string): Promise<string> {
  const rows = await table.countRows();
  const names = await connection.tableNames();
  if (names.includes(name)) {
    const there = await connection.openTable(name);
    const whole = (await there.countRows()) >= rows;
    there.close();
    if (whole) return name;
    await connection.dropTable(name);
  }
  const copy = await connection.createEmptyTable(name, await table.schema(), { mode: "create" });
  try {
    for await (const batch of table.query()) {
      await copy.add(new ArrowTable([batch]));
    }
    if ((await copy.countRows()) < rows) throw new Error(`the backup ${name} lacks rows`);
    return name;
  } finally {
    copy.close();
  }
}

/** Adds the columns that are new as nulls and drops those that are gone. */
async function fitColumns(table: Table, spec: TableSpec): Promise<void> {
  const wanted = spec.schema().fields;
  await onLatest(table, async () => {
    const there = new Set((await table.schema()).fields.map(({ name }) => name));
    const missing = wanted.filter(({ name }) => !there.has(name));
    if (missing.length > 0) await table.addColumns([...missing]);
  });
  await onLatest(table, async () => {
    const names = new Set(wanted.map(({ name }) => name));
    const gone = (await table.schema()).fields.map(({ name }) => name).filter((name) => !names.has(name));
    if (gone.length > 0) await table.dropColumns(gone);
  });
}

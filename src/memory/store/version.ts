import type { Table } from "@lancedb/lancedb";
import { Schema } from "apache-arrow";
import type { TableSpec } from "./spec.ts";

const VERSION_KEY = "conclave.store_version";

/** The schema of a new table, its version written into it. */
export function versioned(spec: Pick<TableSpec, "schema" | "version">): Schema {
  const schema = spec.schema();
  return new Schema(schema.fields, new Map([...schema.metadata, [VERSION_KEY, String(spec.version)]]));
}

/**
 * The version a table was written with; undefined when it isn't one of ours. A migrated table has the newer version
 * at its first column: what is written at the table itself can't be changed.
 */
export function readVersion(schema: Schema): number | undefined {
  const written = [schema.metadata, ...schema.fields.map(({ metadata }) => metadata)].map((metadata) =>
    Number(metadata.get(VERSION_KEY)),
  );
  const versions = written.filter((version) => Number.isInteger(version) && version > 0);
  return versions.length === 0 ? undefined : Math.max(...versions);
}

/** Writes a newer version into a table. */
export async function writeVersion(table: Table, version: number): Promise<void> {
  await table.updateFieldMetadata([{ path: "id", metadata: { [VERSION_KEY]: String(version) } }]);
}

import type { Table } from "@lancedb/lancedb";
import type { Schema } from "apache-arrow";
import type { VectorSink } from "./vector-row.ts";

/** A row as it is written. */
export type StoredRow = Readonly<
  Record<string, string | number | boolean | readonly number[] | Float32Array | null>
>;

/** A row as it is read: the columns that were asked for, not checked yet. */
export type Row = Readonly<Record<string, unknown>>;

/** What a migration may use. */
export interface MigrationContext {
  /** Where embeddings are put that lay in the rows. */
  readonly vectors: VectorSink;
  readonly signal: AbortSignal;
}

/**
 * What has to be done, beyond new columns (added as nulls) and gone ones (dropped), to bring a table from the version
 * before `to` to it. Runs under the lock, before columns are dropped; done again when it was killed in the middle.
 */
export interface Migration {
  readonly to: number;
  run(table: Table, context: MigrationContext): Promise<void>;
}

/** What a table is. */
export interface TableSpec {
  readonly name: string;
  /** The version of its columns. */
  readonly version: number;
  /** Its columns. One that a later version added must be nullable. */
  schema(): Schema;
  readonly migrations: readonly Migration[];
  /** The column that full text is searched in. */
  readonly textColumn?: string;
  /** Columns with an index of their own, from `SCALAR_INDEX_ROWS` rows on. */
  readonly indexed?: Readonly<Record<string, "btree" | "bitmap">>;
  /** The column of embeddings, which gets a vector index from `VECTOR_INDEX_ROWS` rows on. */
  readonly vectorColumn?: string;
  /** Removes rows that nobody needs any more, under the lock, before files are put together. */
  tidy?(table: Table): Promise<void>;
}

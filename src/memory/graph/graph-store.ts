import type { ColumnOrdering, Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Database } from "../store/database.ts";
import { IDS_PER_FILTER } from "../store/present.ts";
import type { Row, StoredRow } from "../store/spec.ts";
import { isOneOf, literal } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";
import {
  EDGE_COLUMNS,
  ENTITY_COLUMNS,
  edgesSpec,
  entitiesSpec,
  readEdges,
  readEntities,
  type StoredEdge,
  type StoredEntity,
} from "./tables.ts";

/** What part of a table is read. */
export interface Selection {
  /** A filter in the form of sql.ts; left out: all rows. */
  readonly where?: string | undefined;
  readonly limit: number;
  readonly offset?: number;
  readonly order?: readonly ColumnOrdering[];
}

/** The two tables of the graph, read and written as what their rows mean. */
export class GraphStore {
  readonly entities: StoreTable;
  readonly edges: StoreTable;

  constructor(database: Database) {
    this.entities = database.table(entitiesSpec);
    this.edges = database.table(edgesSpec);
  }

  /** Reads entities. */
  async readEntities(selection: Selection, signal: AbortSignal): Promise<Result<readonly StoredEntity[]>> {
    const rows = await this.entities.read<readonly Row[]>(
      [],
      (table) => select(table, ENTITY_COLUMNS, selection),
      signal,
    );
    return rows.ok ? success(readEntities(rows.value)) : rows;
  }

  /** Reads relations. */
  async readEdges(selection: Selection, signal: AbortSignal): Promise<Result<readonly StoredEdge[]>> {
    const rows = await this.edges.read<readonly Row[]>(
      [],
      (table) => select(table, EDGE_COLUMNS, selection),
      signal,
    );
    return rows.ok ? success(readEdges(rows.value)) : rows;
  }
}

/** Rows of a table, as they are. Rejects as the library does. */
export function select(
  table: Table,
  columns: readonly string[],
  { where, limit, offset, order }: Selection,
): Promise<Row[]> {
  // Rows can only be sorted by columns that are read.
  const read = new Set([...columns, ...(order ?? []).map(({ columnName }) => columnName)]);
  const query = table.query().select([...read]);
  if (where !== undefined) query.where(where);
  if (order !== undefined) query.orderBy([...order]);
  if (offset !== undefined) query.offset(offset);
  return query.limit(limit).toArray() as Promise<Row[]>;
}

/**
 * Writes rows, new ones and others in place of those of the same id, in one version; under the table's lock. Rejects as
 * the library does.
 */
export async function upsert(table: Table, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  await table
    .mergeInsert("id")
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(rows.map((row) => ({ ...row })));
}

/** Deletes rows by id; under the table's lock. Rejects as the library does. */
export async function deleteIds(table: Table, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += IDS_PER_FILTER) {
    await table.delete(isOneOf("id", ids.slice(start, start + IDS_PER_FILTER)));
  }
}

/** A filter for entities that have one of these names, by the form in which names are compared. */
export function hasKey(keys: readonly string[]): string {
  if (keys.length === 0) return "false";
  return `(${keys.map((key) => `contains(keys, ${literal(`|${key}|`)})`).join(" OR ")})`;
}

/** A filter for relations with one of these entities at an end. */
export function touches(ids: readonly string[]): string {
  return `(${isOneOf("from_id", ids)} OR ${isOneOf("to_id", ids)})`;
}

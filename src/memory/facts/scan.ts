import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import { IDS_PER_FILTER } from "../store/present.ts";
import type { Row } from "../store/spec.ts";
import { all, isOneOf } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";

/** Goes through the rows of a table, a batch in memory at a time. Rejects as the library does. */
export async function eachRow(
  table: Table,
  columns: readonly string[],
  where: string | undefined,
  visit: (row: Row) => void,
): Promise<void> {
  const query = table.query().select([...columns]);
  if (where !== undefined) query.where(where);
  for await (const batch of query) {
    (batch.toArray() as Row[]).forEach(visit);
  }
}

/** What is picked out of the rows of a table, in the order they stand. */
export function pickRows<T>(
  table: StoreTable,
  columns: readonly string[],
  where: string | undefined,
  pick: (row: Row) => T | undefined,
  signal: AbortSignal,
): Promise<Result<readonly T[]>> {
  return table.read<readonly T[]>([], (opened) => pickOpen(opened, columns, where, pick), signal);
}

/** The same on a table that is open. Rejects as the library does. */
export async function pickOpen<T>(
  table: Table,
  columns: readonly string[],
  where: string | undefined,
  pick: (row: Row) => T | undefined,
): Promise<readonly T[]> {
  const picked: T[] = [];
  await eachRow(table, columns, where, (row) => {
    const one = pick(row);
    if (one !== undefined) picked.push(one);
  });
  return picked;
}

/** The rows whose column has one of the values, among those that match a filter; asked for in parts. */
export async function rowsOf<T>(
  table: StoreTable,
  column: string,
  values: readonly string[],
  columns: readonly string[],
  pick: (row: Row) => T | undefined,
  signal: AbortSignal,
  where?: string,
): Promise<Result<readonly T[]>> {
  const found: T[] = [];
  for (const filter of filtersFor(column, values)) {
    const part = await pickRows(table, columns, all(filter, where), pick, signal);
    if (!part.ok) return part;
    found.push(...part.value);
  }
  return success(found);
}

/** Filters for rows whose column has one of the values, none of them too long. */
export function filtersFor(column: string, values: readonly string[]): string[] {
  const distinct = [...new Set(values)];
  const filters: string[] = [];
  for (let start = 0; start < distinct.length; start += IDS_PER_FILTER) {
    filters.push(isOneOf(column, distinct.slice(start, start + IDS_PER_FILTER)));
  }
  return filters;
}

/** A text column of a row; empty when it is none. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}

/** All texts in a value that is written as JSON. */
export function textsIn(json: string): string[] {
  try {
    return leaves(JSON.parse(json));
  } catch {
    return [];
  }
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** Thrown while a table is worked on, and given as the failure it holds outside of that work. */
export class Unread extends Error {
  readonly result: Extract<Result<never>, { ok: false }>;

  constructor(result: Extract<Result<never>, { ok: false }>) {
    super(result.failure.message);
    this.result = result;
  }
}

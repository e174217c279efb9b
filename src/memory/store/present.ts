import type { Table } from "@lancedb/lancedb";
import { z } from "zod";
import { isOneOf } from "./sql.ts";

/** Ids in one filter; longer lists are asked for in parts. */
export const IDS_PER_FILTER = 500;

const idSchema = z.object({ id: z.string() });

/** Which of these ids a table holds, among the rows that match a filter when one is given. Rejects as the library does. */
export async function presentIds(table: Table, ids: readonly string[], where?: string): Promise<Set<string>> {
  const present = new Set<string>();
  for (let start = 0; start < ids.length; start += IDS_PER_FILTER) {
    const part = ids.slice(start, start + IDS_PER_FILTER);
    const among = isOneOf("id", part);
    const rows: unknown[] = await table
      .query()
      .where(where === undefined ? among : `${among} AND (${where})`)
      .select(["id"])
      .limit(part.length)
      .toArray();
    readAll(rows, idSchema).forEach(({ id }) => present.add(id));
  }
  return present;
}

/** The rows that are what the schema says; others are left out. */
export function readAll<T>(rows: readonly unknown[], schema: z.ZodType<T>): T[] {
  return rows.map((row) => schema.safeParse(row)).flatMap((parsed) => (parsed.success ? [parsed.data] : []));
}

/** Filters for the rows with these ids, which are kept in lower case; none of them too long. */
export function idFilters(ids: readonly string[]): string[] {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const filters: string[] = [];
  for (let start = 0; start < wanted.length; start += IDS_PER_FILTER) {
    filters.push(isOneOf("id", wanted.slice(start, start + IDS_PER_FILTER)));
  }
  return filters;
}

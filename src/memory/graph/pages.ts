import type { ColumnOrdering } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { MemoryTablePage, MemoryTableQuery } from "../../agent/memory/types.ts";
import { all, inScopes, literal } from "../store/sql.ts";
import type { GraphStore } from "./graph-store.ts";
import { nameWords } from "./names.ts";
import { publicEdge, publicEntity } from "./tables.ts";

/** Words of a filter that count. */
const MAX_WORDS = 20;

const PEOPLE_COLUMNS = { updatedAt: "updated_at", name: "key", type: "type", mentions: "mentions" } as const;
const RELATION_COLUMNS = {
  ...{ updatedAt: "updated_at", from: "from_key", to: "to_key", type: "type" },
  ...{ strength: "strength", validFrom: "valid_from" },
} as const;

/** A page of the people, places, projects and things. */
export async function peoplePage(
  store: GraphStore,
  query: MemoryTableQuery<"people">,
  signal: AbortSignal,
): Promise<Result<MemoryTablePage<"people">>> {
  const where = all(holdsWords(query.filter, ["text", "keys", "type"]), inScopes(query.scopes));
  const total = await store.entities.count(where, signal);
  if (!total.ok) return total;
  const { offset, limit } = query;
  if (limit === 0 || offset >= total.value) return success({ rows: [], total: total.value });
  const order = sorted(PEOPLE_COLUMNS[query.sort?.column ?? "updatedAt"], query.sort?.ascending ?? false);
  const rows = await store.readEntities({ where, limit, offset, order }, signal);
  return rows.ok ? success({ rows: rows.value.map(publicEntity), total: total.value }) : rows;
}

/** A page of the relations. */
export async function relationshipsPage(
  store: GraphStore,
  query: MemoryTableQuery<"relationships">,
  now: number,
  signal: AbortSignal,
): Promise<Result<MemoryTablePage<"relationships">>> {
  const where = all(
    holdsWords(query.filter, ["text", "from_name", "to_name", "from_key", "to_key", "type", "owner"]),
    inScopes(query.scopes),
    query.onlyCurrent === true ? currentAt(now) : undefined,
  );
  const total = await store.edges.count(where, signal);
  if (!total.ok) return total;
  const { offset, limit } = query;
  if (limit === 0 || offset >= total.value) return success({ rows: [], total: total.value });
  const order = sorted(RELATION_COLUMNS[query.sort?.column ?? "updatedAt"], query.sort?.ascending ?? false);
  const rows = await store.readEdges({ where, limit, offset, order }, signal);
  return rows.ok ? success({ rows: rows.value.map(publicEdge), total: total.value }) : rows;
}

/** A filter for relations that hold at a moment. */
export function currentAt(now: number): string {
  return `(valid_to IS NULL OR valid_to > ${now})`;
}

/** A filter for rows that hold every word of a text in one of the columns, whatever its case; undefined for no word. */
export function holdsWords(filter: string | undefined, columns: readonly string[]): string | undefined {
  const words = (filter ?? "").toWellFormed().toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return all(...words.map((word) => inOneOf(columns, [word, ...nameWords(word)])));
}

function inOneOf(columns: readonly string[], spellings: readonly string[]): string {
  const [asWritten = "", plain] = spellings;
  const holds = (column: string): string => {
    const wanted = column.endsWith("key") || column === "keys" ? (plain ?? asWritten) : asWritten;
    return `contains(lower(${column}), ${literal(wanted)})`;
  };
  return columns.map(holds).join(" OR ");
}

/** By a column, then by id: two rows that are alike there keep their places from page to page. */
function sorted(columnName: string, ascending: boolean): ColumnOrdering[] {
  return [
    { columnName, ascending },
    { columnName: "id", ascending: true },
  ];
}

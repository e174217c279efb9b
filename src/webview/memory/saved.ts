import { SORT_COLUMNS, type MemoryTable } from "../../agent/memory/types.ts";
import { readDays, type Days } from "./days.ts";

/** The tables in the order of their tabs. */
export const TABLES = [
  "episodes",
  "facts",
  "people",
  "relationships",
  "resources",
  "moments",
] as const satisfies readonly MemoryTable[];

const MAX_FILTER = 400;

/** How a table is sorted. */
export interface SortBy {
  readonly column: string;
  readonly ascending: boolean;
}

/** A row that is open, and where it stood. */
export interface OpenRow {
  readonly id: string;
  readonly index: number;
}

/** What one tab of the memory view remembers. */
export interface TabPlace {
  readonly filter: string;
  readonly sort: SortBy;
  readonly days: Days;
  /** How far it is scrolled, in pixels. */
  readonly top: number;
  readonly open: OpenRow | null;
}

/** What of the memory view outlives the page. */
export interface SavedMemory {
  readonly table: MemoryTable;
  /** Only this workspace. */
  readonly here: boolean;
  readonly onlyCurrent: boolean;
  /** Episodes by how well they fit the filter. */
  readonly ranked: boolean;
  readonly tabs: { readonly [T in MemoryTable]: TabPlace };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isOneOf(table: MemoryTable, column: unknown): column is string {
  return (SORT_COLUMNS[table] as readonly unknown[]).includes(column);
}

/** How a table is sorted before the user says otherwise: the newest first. */
export function usualSort(table: MemoryTable): SortBy {
  return { column: SORT_COLUMNS[table][0], ascending: false };
}

/** Columns of figures and dates. */
const HIGHEST_FIRST: ReadonlySet<string> = new Set([
  "time",
  "updatedAt",
  "indexedAt",
  "validFrom",
  "score",
  "confidence",
  "strength",
  "mentions",
]);

/** Words begin with A, figures and dates with the highest. */
export function startsAscending(column: string): boolean {
  return !HIGHEST_FIRST.has(column);
}

function readTab(table: MemoryTable, value: unknown): TabPlace {
  const { filter, sort, days, top, open } = isRecord(value) ? value : {};
  const sorted = isRecord(sort) && isOneOf(table, sort["column"]) ? sort : undefined;
  return {
    filter: typeof filter === "string" ? filter.slice(0, MAX_FILTER) : "",
    sort:
      sorted === undefined
        ? usualSort(table)
        : { column: String(sorted["column"]), ascending: sorted["ascending"] === true },
    days: readDays(days),
    top: isCount(top) ? top : 0,
    open:
      isRecord(open) && typeof open["id"] === "string" && isCount(open["index"])
        ? { id: open["id"], index: open["index"] }
        : null,
  };
}

/** Reads what an earlier page saved of the memory view; what is not understood is as on a first visit. */
export function readMemory(value: unknown): SavedMemory {
  const saved = isRecord(value) ? value : {};
  const tabs = isRecord(saved["tabs"]) ? saved["tabs"] : {};
  return {
    table: TABLES.find((table) => table === saved["table"]) ?? "episodes",
    here: saved["here"] === true,
    onlyCurrent: saved["onlyCurrent"] === true,
    ranked: saved["ranked"] === true,
    tabs: {
      episodes: readTab("episodes", tabs["episodes"]),
      facts: readTab("facts", tabs["facts"]),
      people: readTab("people", tabs["people"]),
      relationships: readTab("relationships", tabs["relationships"]),
      resources: readTab("resources", tabs["resources"]),
      moments: readTab("moments", tabs["moments"]),
    },
  };
}

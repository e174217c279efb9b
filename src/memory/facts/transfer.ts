import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import type { ExportPage, Imported } from "../../agent/memory/types.ts";
import { z } from "zod";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { presentIds } from "../store/present.ts";
import type { Row, StoredRow } from "../store/spec.ts";
import { isOneOf, literal } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";
import { textOf } from "./scan.ts";
import type { TransferTable } from "./transfer-tables.ts";
import { TRANSFER_TABLES } from "./transfer-tables.ts";

/** The version of the form of an export's lines. */
export const EXPORT_VERSION = 1;
/** Most lines of a page, and what its text may hold before the page ends, in UTF-16 units. */
const PAGE_LINES = 200;
const PAGE_LENGTH = 1_000_000;

const lineSchema = z.object({
  version: z.int().min(1),
  table: z.string(),
  row: z.unknown(),
});
const cursorSchema = z.tuple([z.string(), z.string()]);

/**
 * Everything that is remembered as JSON Lines, and back again: one object a line, with the version of its form, its
 * table and the row. Embeddings are left out: they are made anew. Nothing here throws.
 */
export class Transfer {
  readonly #deps: Pick<KnowledgeDeps, "database">;

  constructor(deps: Pick<KnowledgeDeps, "database">) {
    this.#deps = deps;
  }

  /**
   * The page after a cursor that an earlier page gave, or the first. Rows that are there from the first page to the
   * last are each in exactly one of them.
   */
  async exportPage(cursor: string | undefined, signal: AbortSignal): Promise<Result<ExportPage>> {
    const place = cursor === undefined ? { index: 0, after: "" } : placeOf(cursor);
    if (place === undefined) return failed("bad_input", "There is no such place in the export.");
    for (let { index, after } = place; index < TRANSFER_TABLES.length; index += 1, after = "") {
      const table = TRANSFER_TABLES[index];
      if (table === undefined) break;
      const page = await this.#page(table, after, signal);
      if (!page.ok) return page;
      const { lines, last } = page.value;
      const next = last === undefined ? TRANSFER_TABLES[index + 1]?.name : table.name;
      if (lines.length === 0 && last === undefined) continue;
      return success(next === undefined ? { lines } : { lines, next: JSON.stringify([next, last ?? ""]) });
    }
    return success({ lines: [] });
  }

  /**
   * Adds the rows of an export's lines. A row whose id is there is left as it is; a line that is none is named by its
   * number, from 1, and costs itself only.
   */
  async importLines(lines: readonly string[], signal: AbortSignal): Promise<Result<Imported>> {
    const bad: { line: number; reason: string }[] = [];
    const rows = new Map<TransferTable, StoredRow[]>(TRANSFER_TABLES.map((table) => [table, []]));
    lines.forEach((line, index) => {
      // The end of a file is an empty line.
      if (line.trim() === "") return;
      const read = readLine(line);
      if (read.ok) rows.get(read.table)?.push(read.row);
      else bad.push({ line: index + 1, reason: read.reason });
    });
    let added = 0;
    let known = 0;
    for (const [table, own] of rows) {
      if (own.length === 0) continue;
      const fresh = await addNew(this.#deps.database.table(table.spec), own, signal);
      if (!fresh.ok) return fresh;
      added += fresh.value;
      known += own.length - fresh.value;
    }
    return success({ added, known, bad });
  }

  /** Some lines after an id, and the last id they reach to; no id at the end of the table. */
  async #page(
    { name, spec, columns, toExport }: TransferTable,
    after: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly lines: readonly string[]; readonly last?: string }>> {
    return this.#deps.database
      .table(spec)
      .read<{ readonly lines: readonly string[]; readonly last?: string }>(
        { lines: [] },
        async (table) => {
          // Ids alone first: to sort whole rows the store would read all of them for every page.
          const found = (await table
            .query()
            .where(`id > ${literal(after)}`)
            .select(["id"])
            .orderBy([{ columnName: "id", ascending: true }])
            .limit(PAGE_LINES)
            .toArray()) as Row[];
          const ids = found.map((row) => textOf(row, "id"));
          if (ids.length === 0) return { lines: [] };
          const query = table.query().where(isOneOf("id", ids));
          const rows = (await query.select([...columns]).toArray()) as Row[];
          const byId = new Map(rows.map((row) => [textOf(row, "id"), row]));
          const lines: string[] = [];
          let length = 0;
          let last = "";
          for (const id of ids) {
            const row = byId.get(id);
            const exported = row === undefined ? [] : toExport([row]);
            const own = exported.map((each) =>
              JSON.stringify({ version: EXPORT_VERSION, table: name, row: each }),
            );
            length += own.reduce((total, line) => total + line.length, 0);
            if (length > PAGE_LENGTH && lines.length > 0) return { lines, last };
            lines.push(...own);
            last = id;
          }
          return ids.length < PAGE_LINES ? { lines } : { lines, last };
        },
        signal,
      );
  }
}

function placeOf(cursor: string): { readonly index: number; readonly after: string } | undefined {
  try {
    const [name, after] = cursorSchema.parse(JSON.parse(cursor));
    const index = TRANSFER_TABLES.findIndex((table) => table.name === name);
    return index < 0 ? undefined : { index, after };
  } catch {
    return undefined;
  }
}

type ReadLine =
  | { readonly ok: true; readonly table: TransferTable; readonly row: StoredRow }
  | { readonly ok: false; readonly reason: string };

function readLine(line: string): ReadLine {
  let value: unknown;
  try {
    // Half characters, which the store can't take, may stand in it as escapes.
    value = JSON.parse(line, (_, part: unknown) => (typeof part === "string" ? part.toWellFormed() : part));
  } catch {
    return { ok: false, reason: "not JSON" };
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success)
    return { ok: false, reason: "not a line of an export: it needs version, table and row" };
  const { version, table: name, row } = parsed.data;
  if (version > EXPORT_VERSION) {
    return {
      ok: false,
      reason: `written by a newer version of Conclave (form ${version}; this one reads ${EXPORT_VERSION}): update Conclave to import it`,
    };
  }
  const table = TRANSFER_TABLES.find((each) => each.name === name);
  if (table === undefined) return { ok: false, reason: `no table is called "${name.slice(0, 100)}"` };
  const read = table.fromExport(row);
  return read.ok ? { ok: true, table, row: read.row } : read;
}

/** Adds the rows whose id is new, under the lock: two windows may import the same file. */
function addNew(table: StoreTable, rows: readonly StoredRow[], signal: AbortSignal): Promise<Result<number>> {
  const unique = new Map(rows.map((row) => [String(row.id), row]));
  return table.change(async (opened) => {
    const known = await presentIds(opened, [...unique.keys()]);
    const fresh = [...unique].filter(([id]) => !known.has(id)).map(([, row]) => ({ ...row }));
    if (fresh.length > 0) await opened.add(fresh);
    return fresh.length;
  }, signal);
}

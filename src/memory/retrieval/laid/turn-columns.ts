import type { Table } from "@lancedb/lancedb";
import { readColumns, type ColumnsRow } from "../../store/columns.ts";
import type { Turn } from "../candidates.ts";
import { labelOf } from "../speakers.ts";

/** How much of a question's beginning is looked at for the name of who speaks. */
const HEAD = 60;
/** How much of an answer's end is looked at for a question. */
const TAIL = 300;

/** What is read of a turn: computed by the store, so that the texts themselves stay there. */
export const TURN_COLUMNS: Readonly<Record<string, string>> = {
  id: "id",
  session_id: "session_id",
  turn_id: "turn_id",
  time: "time",
  agent: "agent",
  // No name stands before a colon that is not there.
  head: `left(question, ${HEAD} * CAST(contains(left(question, ${HEAD}), ':') AS BIGINT))`,
  asks: `(answer = '' AND contains(question, '?')) OR contains(right(answer, ${TAIL}), '?')`,
  length: "character_length(question) + character_length(answer)",
};

const TURN_KINDS = {
  id: "string",
  session_id: "string",
  turn_id: "string",
  time: "number",
  agent: "string",
  head: "string",
  asks: "boolean",
  length: "number",
  _rowid: "number",
} as const;

/** A turn that was just read. */
export type LaidTurn = Turn & { readonly row: number };

/** The turns that match a filter, at most so many. Rejects as the library does. */
export async function turnsWhere(table: Table, filter: string, limit: number): Promise<readonly LaidTurn[]> {
  const query = table.query().where(filter).select(TURN_COLUMNS).withRowId().limit(limit);
  return readColumns(await query.toArrow(), TURN_KINDS).map(toTurn);
}

/** The turns that lie at these places. Rejects as the library does. */
export async function turnsAt(table: Table, rows: readonly number[]): Promise<ReadonlyMap<number, Turn>> {
  const taken = table
    .takeRowIds([...rows])
    .select(TURN_COLUMNS)
    .withRowId();
  const read = readColumns(await taken.toArrow(), TURN_KINDS).map(toTurn);
  return new Map(read.map((turn) => [turn.row, turn]));
}

/** Where the turns lie that match a filter, at most so many of them. Rejects as the library does. */
export async function rowsWhere(table: Table, filter: string, limit: number): Promise<readonly number[]> {
  const query = table.query().where(filter).select(["session_id"]).withRowId().limit(limit);
  return readColumns(await query.toArrow(), { _rowid: "number" }).map(({ _rowid }) => _rowid);
}

/** Written out: spread, a thousand of them take a noticeable part of a search. */
function toTurn(row: ColumnsRow<typeof TURN_KINDS>): LaidTurn {
  return {
    id: row.id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    time: row.time,
    row: row._rowid,
    agent: row.agent,
    head: labelOf(row.head),
    asks: row.asks,
    length: row.length,
  };
}

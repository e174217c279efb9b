import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { readColumns, type ColumnsRow } from "../store/columns.ts";
import { KnownRows } from "../store/known-rows.ts";
import { Recent } from "../store/recent.ts";
import { all, inScopes, isOneOf } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";
import type { Turn } from "./candidates.ts";

/** How much of a question's beginning is looked at for the name of who speaks. */
const HEAD = 60;
/** How much of an answer's end is looked at for a question. */
const TAIL = 300;
/** So many turns are kept at least, twice as many at most: some 350 bytes each. */
const LEAST_TURNS = 24_000;
/** So many sessions are known to have been read: no more than those whose turns are kept. */
const LEAST_SESSIONS = 1_000;

/** What is read of a turn: computed by the store, so that the texts themselves stay there. */
const TURN_COLUMNS: Readonly<Record<string, string>> = {
  id: "id",
  session_id: "session_id",
  turn_id: "turn_id",
  time: "time",
  agent: "agent",
  head: `left(question, ${HEAD})`,
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

/** Which of the sessions' turns are read. */
interface TurnOptions {
  readonly limit: number;
  readonly scopes: readonly string[] | undefined;
}

/**
 * The turns of sessions. Which turns there are is asked each time; what they say is read once, and of sessions that
 * were not read yet together with it.
 */
export class TurnReader {
  readonly #table: StoreTable;
  readonly #known: KnownRows<Turn>;
  /** The sessions that were read, and of which table. */
  readonly #sessions = new Recent<string, string>(LEAST_SESSIONS);

  constructor(table: StoreTable) {
    this.#table = table;
    this.#known = new KnownRows(table, LEAST_TURNS);
  }

  /** The turns of these sessions, in no order, at most `limit`. */
  of(
    sessionIds: readonly string[],
    options: TurnOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Turn[]>> {
    return this.#table.read<readonly Turn[]>([], (table) => this.#read(table, sessionIds, options), signal);
  }

  async #read(table: Table, sessionIds: readonly string[], options: TurnOptions): Promise<readonly Turn[]> {
    const generation = this.#known.begin();
    const isKnown = (id: string): boolean =>
      generation !== undefined && this.#sessions.get(id) === generation;
    const known = sessionIds.filter(isKnown);
    const others = sessionIds.filter((id) => !isKnown(id));
    const [again, fresh] = await Promise.all([
      known.length === 0 ? [] : this.#again(table, known, options, generation),
      others.length === 0 ? [] : wholeTurns(table, others, options),
    ]);
    this.#known.keep(new Map(fresh.map((turn) => [turn.row, turn])), generation);
    if (generation !== undefined) others.forEach((id) => this.#sessions.set(id, generation));
    // Which of them stay within the bound is for one query to say.
    const turns = [...again, ...fresh];
    return known.length > 0 && turns.length >= options.limit ? wholeTurns(table, sessionIds, options) : turns;
  }

  /** The turns of sessions that were read before: those that came since are read. */
  async #again(
    table: Table,
    sessionIds: readonly string[],
    options: TurnOptions,
    generation: string | undefined,
  ): Promise<readonly Turn[]> {
    const query = table.query().where(filterOf(sessionIds, options)).select(["session_id"]);
    const found = await query.withRowId().limit(options.limit).toArrow();
    const rows = readColumns(found, { _rowid: "number" }).map(({ _rowid }) => _rowid);
    const turns = await this.#known.at(rows, generation, async (unknown) => {
      const taken = table
        .takeRowIds([...unknown])
        .select(TURN_COLUMNS)
        .withRowId();
      const read = readColumns(await taken.toArrow(), TURN_KINDS).map(toTurn);
      return new Map(read.map((turn) => [turn.row, turn]));
    });
    // Files were put together meanwhile, or rows removed: in one query nothing comes between.
    return turns.size < rows.length ? wholeTurns(table, sessionIds, options) : [...turns.values()];
  }
}

/** A turn that was just read. */
type LaidTurn = Turn & { readonly row: number };

async function wholeTurns(
  table: Table,
  sessionIds: readonly string[],
  options: TurnOptions,
): Promise<readonly LaidTurn[]> {
  const query = table.query().where(filterOf(sessionIds, options)).select(TURN_COLUMNS);
  return readColumns(await query.withRowId().limit(options.limit).toArrow(), TURN_KINDS).map(toTurn);
}

function filterOf(sessionIds: readonly string[], { scopes }: TurnOptions): string {
  return all(isOneOf("session_id", sessionIds), inScopes(scopes)) ?? "false";
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
    head: row.head,
    asks: row.asks,
    length: row.length,
  };
}

import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Episode, EpisodeNotes } from "../../agent/memory-port.ts";
import type { AnnotationTable } from "../store/annotations.ts";
import { readColumns, type ColumnsRow } from "../store/columns.ts";
import type { EpisodeTable } from "../store/episodes.ts";
import { all, inScopes, isOneOf, validIds } from "../store/sql.ts";
import type { Vectors } from "../store/vectors.ts";
import type {
  CandidateFilter,
  CandidateOptions,
  CandidateSource,
  DenseView,
  Edit,
  Found,
  Place,
  Turn,
} from "./candidates.ts";

/** How much of a question's beginning is looked at for the name of who speaks. */
const HEAD = 60;
/** How much of an answer's end is looked at for a question. */
const TAIL = 300;

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

/** The tables of a store as a search sees them. */
export interface SearchedTables {
  readonly episodes: EpisodeTable;
  readonly annotations: AnnotationTable;
  readonly vectors: Vectors;
}

/** Candidates out of the tables of a store. */
export class StoreCandidates implements CandidateSource {
  readonly #tables: SearchedTables;

  constructor(tables: SearchedTables) {
    this.#tables = tables;
  }

  count(filter: CandidateFilter, signal: AbortSignal): Promise<Result<number>> {
    return this.#tables.episodes.table.count(where(filter), signal);
  }

  matching(
    words: readonly string[],
    { limit, filter }: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Found[]>> {
    return this.#tables.episodes.matching(words, { limit, where: where(filter) }, signal);
  }

  async near(
    model: string,
    view: DenseView,
    embedding: Float32Array,
    { limit, filter }: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Found[]>> {
    const options = { limit, where: where(filter) };
    const found = await this.#tables.vectors.near(model, view, embedding, options, signal);
    return found.ok
      ? success(found.value.map(({ similarity, ...place }) => ({ place, score: similarity })))
      : found;
  }

  turnsOf(
    sessionIds: readonly string[],
    { limit, filter }: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Turn[]>> {
    const wanted = all(isOneOf("session_id", sessionIds), inScopes(filter.scopes)) ?? "false";
    return this.#tables.episodes.table.read<readonly Turn[]>(
      [],
      async (table) => {
        const query = table.query().where(wanted).select(TURN_COLUMNS).withRowId().limit(limit);
        return readColumns(await query.toArrow(), TURN_KINDS).map(toTurn);
      },
      signal,
    );
  }

  byPlaces(places: readonly Place[], signal: AbortSignal): Promise<Result<readonly Episode[]>> {
    const rows = new Map(places.flatMap(({ id, row }) => (row === undefined ? [] : [[id, row] as const])));
    return this.#tables.episodes.byIds(
      places.map(({ id }) => id),
      signal,
      rows,
    );
  }

  byIds(ids: readonly string[], signal: AbortSignal): Promise<Result<readonly Episode[]>> {
    return this.#tables.episodes.byIds(ids, signal);
  }

  notes(ids: readonly string[], signal: AbortSignal): Promise<Result<ReadonlyMap<string, EpisodeNotes>>> {
    return this.#tables.annotations.fold(ids, signal);
  }

  edits(signal: AbortSignal): Promise<Result<ReadonlyMap<string, Edit>>> {
    return this.#tables.annotations.ofKind("edit", signal);
  }
}

/** Written out: spread, a thousand of them take a noticeable part of a search. */
function toTurn(row: ColumnsRow<typeof TURN_KINDS>): Turn {
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

function where({ scopes, from, to, ids }: CandidateFilter): string | undefined {
  return all(
    ids === undefined ? undefined : isOneOf("id", validIds(ids)),
    inScopes(scopes),
    from === undefined ? undefined : `time >= ${from}`,
    to === undefined ? undefined : `time <= ${to}`,
  );
}

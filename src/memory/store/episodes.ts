import type { Query, Table } from "@lancedb/lancedb";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Episode } from "../../agent/memory/port.ts";
import { AnnotationTable } from "./annotations.ts";
import type { ColumnsRow } from "./columns.ts";
import { plainRows, readColumns } from "./columns.ts";
import type { Database } from "./database.ts";
import type { RowsKnown } from "./known-rows.ts";
import type { EpisodeOrder } from "./episode-order.ts";
import { EpisodeOrders } from "./episode-order.ts";
import { moveEmbeddings } from "./episodes-v1.ts";
import { presentIds, readAll } from "./present.ts";
import { EPISODE_COLUMNS, episodeColumns, fromRow, toRow } from "./rows.ts";
import type { TableSpec } from "./spec.ts";
import { all, inScopes, isOneOf, validIds } from "./sql.ts";
import type { StoreTable } from "./table.ts";

/** The table of episodes. Version 1 held one embedding in each row. */
export const EPISODES: TableSpec = {
  name: "episodes",
  version: 2,
  schema: episodeColumns,
  migrations: [{ to: 2, run: moveEmbeddings }],
  textColumn: "text",
  indexed: { id: "btree", session_id: "btree", scope: "bitmap" },
};

/** Where an episode stands: what is needed to tell which turns are before and after it. */
export interface Place {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly time: number;
  /** Where the row lies until files are put together; to be checked by the id. */
  readonly row?: number;
}

/** A row that full text found. */
export interface TextHit {
  readonly place: Place;
  /** BM25, 0 or more. */
  readonly score: number;
}

/** What page of the episodes is wanted. */
export interface EpisodePage extends EpisodeOrder {
  readonly offset: number;
  readonly limit: number;
}

const PLACE_COLUMNS = ["id", "session_id", "turn_id", "time"];

const placeSchema = z
  .object({ id: z.string(), session_id: z.string(), turn_id: z.string(), time: z.number() })
  .transform((row): Place => ({
    id: row.id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    time: row.time,
  }));

const LAID_COLUMNS = {
  id: "string",
  session_id: "string",
  turn_id: "string",
  time: "number",
  _rowid: "number",
} as const;
const TEXT_HIT_COLUMNS = { _rowid: "number", _score: "number" } as const;

/** The episodes of a store. Append-only, but for forgetting. Nothing here throws. */
export class EpisodeTable {
  readonly table: StoreTable;
  readonly #orders: EpisodeOrders;

  constructor(database: Database) {
    this.table = database.table(EPISODES);
    this.#orders = new EpisodeOrders(this.table, new AnnotationTable(database));
  }

  /** Adds episodes in one write and gives the ids that were new: an episode whose id exists is left as it is. */
  append(episodes: readonly Episode[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    const unique = new Map(episodes.map((episode) => [episode.id.toLowerCase(), episode]));
    return this.table.append([...unique.values()].map(toRow), signal);
  }

  /** How many episodes there are in these scopes, or in all. */
  countRows(signal: AbortSignal, scopes?: readonly string[]): Promise<Result<number>> {
    return this.table.count(inScopes(scopes), signal);
  }

  /** One page, newest first unless said otherwise; among equals the one with the lower id comes first. */
  async list(
    { offset, limit, ...order }: EpisodePage,
    signal: AbortSignal,
  ): Promise<Result<{ readonly rows: readonly Episode[]; readonly total: number }>> {
    const page = await this.#orders.page(order, offset, limit, signal);
    if (!page.ok) return page;
    const { ids, total } = page.value;
    const found = await this.#select(isOneOf("id", ids), ids.length, signal);
    if (!found.ok) return found;
    const byId = new Map(found.value.map((episode) => [episode.id, episode]));
    return success({
      rows: ids.map((id) => byId.get(id)).filter((episode) => episode !== undefined),
      total,
    });
  }

  /** The rows whose text holds the words, best first. Where rows stand is not read again as far as `known` knows it. */
  matching(
    words: readonly string[],
    options: { readonly limit: number; readonly where?: string | undefined },
    signal: AbortSignal,
    known?: RowsKnown<Place>,
  ): Promise<Result<readonly TextHit[]>> {
    return this.table.match<TextHit>(
      words,
      options,
      async (find, table) => {
        const generation = known?.begin();
        if (known === undefined || generation === undefined) return wholeHits(find(PLACE_COLUMNS));
        const found = readColumns(await find([]).withRowId().toArrow(), TEXT_HIT_COLUMNS);
        const rows = found.map(({ _rowid }) => _rowid);
        const places = await known.at(table, rows, generation);
        if (places === undefined) return wholeHits(find(PLACE_COLUMNS));
        return places.map((place, index) => ({ place, score: found[index]?._score ?? 0 }));
      },
      signal,
    );
  }

  /** Where the rows of some sessions stand, at most `limit` of them. */
  placesOf(
    sessionIds: readonly string[],
    limit: number,
    signal: AbortSignal,
    where?: string,
  ): Promise<Result<readonly Place[]>> {
    return this.table.read<readonly Place[]>(
      [],
      async (table) => {
        const rows: unknown[] = await table
          .query()
          .where(all(isOneOf("session_id", sessionIds), where) ?? "true")
          .select(PLACE_COLUMNS)
          .limit(limit)
          .toArray();
        return readAll(rows, placeSchema);
      },
      signal,
    );
  }

  /**
   * The episodes with these ids, in no order.
   *
   * @param rows where some of them lay a moment ago, by id: a third of the time of looking them up
   */
  async byIds(
    ids: readonly string[],
    signal: AbortSignal,
    rows: ReadonlyMap<string, number> = new Map(),
  ): Promise<Result<readonly Episode[]>> {
    const valid = validIds(ids);
    const [taken, found] = await Promise.all([
      this.#taken(valid, rows, signal),
      this.#byIds(
        valid.filter((id) => !rows.has(id)),
        signal,
      ),
    ]);
    if (!found.ok) return found;
    // Files may have been put together meanwhile: what lies elsewhere now is looked up.
    const there = new Set(taken.map(({ id }) => id));
    const moved = await this.#byIds(
      valid.filter((id) => rows.has(id) && !there.has(id)),
      signal,
    );
    return moved.ok ? success([...taken, ...found.value, ...moved.value]) : moved;
  }

  /** The episodes that match a filter by sql.ts, at most `limit`, in the order they were written. */
  where(
    filter: string,
    options: { readonly limit: number; readonly offset?: number },
    signal: AbortSignal,
  ): Promise<Result<readonly Episode[]>> {
    return this.#select(filter, options.limit, signal, options.offset);
  }

  /** Which of these ids there are. */
  present(ids: readonly string[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    return this.table.read<ReadonlySet<string>>(
      new Set<string>(),
      (table) => presentIds(table, validIds(ids)),
      signal,
    );
  }

  /** Removes episodes by id, from the disk too, and gives how many there were. */
  forget(ids: readonly string[], signal: AbortSignal): Promise<Result<number>> {
    const wanted = validIds(ids);
    return wanted.length === 0 ? Promise.resolve(success(0)) : this.table.wipe(isOneOf("id", wanted), signal);
  }

  #byIds(ids: readonly string[], signal: AbortSignal): Promise<Result<readonly Episode[]>> {
    return this.#select(isOneOf("id", ids), ids.length, signal);
  }

  /** Those of the episodes that still lie where they lay. */
  async #taken(
    ids: readonly string[],
    rows: ReadonlyMap<string, number>,
    signal: AbortSignal,
  ): Promise<readonly Episode[]> {
    const at = ids.flatMap((id) => rows.get(id) ?? []);
    if (at.length === 0) return [];
    const wanted = new Set(ids);
    const taken = await this.table.read<readonly Episode[]>(
      [],
      async (table) =>
        readEpisodes(
          await table
            .takeRowIds(at)
            .select([...EPISODE_COLUMNS])
            .toArrow(),
        ),
      signal,
    );
    return taken.ok ? taken.value.filter(({ id }) => wanted.has(id)) : [];
  }

  #select(
    filter: string,
    limit: number,
    signal: AbortSignal,
    offset = 0,
  ): Promise<Result<readonly Episode[]>> {
    if (limit === 0) return Promise.resolve(success([]));
    return this.table.read<readonly Episode[]>(
      [],
      async (table) => {
        const query = table
          .query()
          .where(filter)
          .select([...EPISODE_COLUMNS])
          .limit(limit)
          .offset(offset);
        return readEpisodes(await query.toArrow());
      },
      signal,
    );
  }
}

function readEpisodes(result: Parameters<typeof plainRows>[0]): Episode[] {
  return plainRows(result, EPISODE_COLUMNS)
    .map(fromRow)
    .filter((episode) => episode !== undefined);
}

async function wholeHits(query: Query): Promise<readonly TextHit[]> {
  const found = readColumns(await query.withRowId().toArrow(), { ...LAID_COLUMNS, ...TEXT_HIT_COLUMNS });
  return found.map((row) => ({ place: laidPlace(row), score: row._score }));
}

/** Where the episodes stand that lie at these places. Rejects as the library does. */
export async function placesAt(table: Table, rows: readonly number[]): Promise<ReadonlyMap<number, Place>> {
  const taken = table
    .takeRowIds([...rows])
    .select(PLACE_COLUMNS)
    .withRowId();
  const read = readColumns(await taken.toArrow(), LAID_COLUMNS);
  return new Map(read.map((row) => [row._rowid, laidPlace(row)]));
}

function laidPlace({ id, session_id, turn_id, time, _rowid }: ColumnsRow<typeof LAID_COLUMNS>): Place {
  return { id, sessionId: session_id, turnId: turn_id, time, row: _rowid };
}

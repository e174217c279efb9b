import type { Table } from "@lancedb/lancedb";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import type { Episode, MemoryPage } from "../../agent/memory-port.ts";
import type { Indexes } from "./indexes.ts";
import { EPISODE_COLUMNS, fromRow } from "./rows.ts";
import type { Place } from "../retrieval/search.ts";
import { isOneOf, literal, mentions } from "./sql.ts";
import type { StoreHandle } from "./store.ts";

/** A row that one half of a search found, with that half's own score: BM25, or cosine similarity. */
export interface Found {
  readonly place: Place;
  readonly score: number;
}

/** A row that waits for its embedding. */
export interface Unembedded {
  readonly id: string;
  readonly text: string;
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

/** Ids in one filter; longer lists are asked for in parts. */
export const IDS_PER_FILTER = 500;

/** Everything that is read from the table of episodes. Nothing here throws. */
export class EpisodeReader {
  readonly #handle: StoreHandle;
  readonly #indexes: Indexes;

  constructor(handle: StoreHandle, indexes: Indexes) {
    this.#handle = handle;
    this.#indexes = indexes;
  }

  /** How many episodes there are. */
  count(signal: AbortSignal): Promise<Result<number>> {
    return this.#read(0, (table) => table.countRows(), signal);
  }

  /** One page, newest first; of rows with the same time the one with the lower id comes first. */
  list(
    page: { readonly offset: number; readonly limit: number; readonly filter?: string | undefined },
    signal: AbortSignal,
  ): Promise<Result<MemoryPage>> {
    const words = page.filter?.trim() ?? "";
    return this.#read(
      { rows: [], total: 0 },
      async (table) => {
        const total = await table.countRows(words === "" ? undefined : mentions(words));
        if (page.limit === 0) return { rows: [], total };
        const query = table.query();
        if (words !== "") query.where(mentions(words));
        const rows = await query
          .orderBy([
            { columnName: "time", ascending: false },
            { columnName: "id", ascending: true },
          ])
          .select(EPISODE_COLUMNS)
          .limit(page.limit)
          .offset(page.offset)
          .toArray();
        return { rows: readEpisodes(rows), total };
      },
      signal,
    );
  }

  /** The rows whose text holds the words, best first. */
  async matching(
    words: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<Result<readonly Found[]>> {
    const library = await this.#handle.library();
    if (!library.ok) return library;
    const ready = await this.#indexes.ensure(signal);
    if (!ready.ok) return ready;
    if (!ready.value || words.length === 0) return success([]);
    // A query object: in a query string signs would have a meaning.
    const query = new library.value.MatchQuery(words.join(" "), "text");
    const found = await this.#read(
      [],
      async (table) => {
        const rows = await table
          .query()
          .fullTextSearch(query)
          .select([...PLACE_COLUMNS, "_score"])
          .limit(limit)
          .toArray();
        return readFound(rows, (row) => row._score);
      },
      signal,
    );
    return found.ok
      ? found
      : failed("memory_unavailable", "the full-text index can't be read.", {
          cause: found.failure.cause ?? "",
        });
  }

  /** The rows nearest to an embedding of the given model, best first. */
  near(
    embedding: Float32Array,
    model: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<Result<readonly Found[]>> {
    return this.#read(
      [],
      async (table) => {
        const rows = await table
          .query()
          .nearestTo(embedding)
          .column("embedding")
          .distanceType("cosine")
          .ef(Math.max(50, limit))
          .refineFactor(2)
          .where(`embedding_model = ${literal(model)}`)
          .select([...PLACE_COLUMNS, "_distance"])
          .limit(limit)
          .toArray();
        return readFound(rows, (row) => (row._distance === undefined ? undefined : 1 - row._distance));
      },
      signal,
    );
  }

  /** Where the rows of some sessions stand, at most `limit` of them. */
  placesOf(
    sessionIds: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<Result<readonly Place[]>> {
    return this.#read(
      [],
      async (table) => {
        const rows = await table
          .query()
          .where(isOneOf("session_id", sessionIds))
          .select(PLACE_COLUMNS)
          .limit(limit)
          .toArray();
        return readAll(rows, placeSchema);
      },
      signal,
    );
  }

  /** The episodes with these ids, in no order. */
  byIds(ids: readonly string[], signal: AbortSignal): Promise<Result<readonly Episode[]>> {
    return this.#read(
      [],
      async (table) => {
        const rows = await table
          .query()
          .where(isOneOf("id", ids))
          .select(EPISODE_COLUMNS)
          .limit(ids.length)
          .toArray();
        return readEpisodes(rows);
      },
      signal,
    );
  }

  /** Rows that no embedding of this model exists for, at most `limit`. */
  unembedded(model: string, limit: number, signal: AbortSignal): Promise<Result<readonly Unembedded[]>> {
    return this.#read(
      [],
      async (table) => {
        const rows = await table
          .query()
          .where(`embedding_model IS NULL OR embedding_model != ${literal(model)}`)
          .select(["id", "text"])
          .limit(limit)
          .toArray();
        return readAll(rows, z.object({ id: z.string(), text: z.string() }));
      },
      signal,
    );
  }

  /** Which of these ids there are. */
  present(ids: readonly string[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    return this.#read(new Set<string>(), (table) => presentIds(table, ids), signal);
  }

  /** Reads the table; `empty` while there is none. Files that another window cleaned away are looked for once more. */
  async #read<T>(empty: T, query: (table: Table) => Promise<T>, signal: AbortSignal): Promise<Result<T>> {
    const opened = await this.#handle.read(signal);
    if (!opened.ok) return opened;
    if (opened.value === undefined) return success(empty);
    const { table } = opened.value;
    try {
      return success(await query(table));
    } catch {
      try {
        await table.checkoutLatest();
        return success(await query(table));
      } catch (error) {
        this.#handle.reopen();
        return { ok: false, failure: this.#handle.damaged(error) };
      }
    }
  }
}

/** Which of these ids a table holds. */
export async function presentIds(table: Table, ids: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>();
  for (let start = 0; start < ids.length; start += IDS_PER_FILTER) {
    const part = ids.slice(start, start + IDS_PER_FILTER);
    const rows: unknown[] = await table
      .query()
      .where(isOneOf("id", part))
      .select(["id"])
      .limit(part.length)
      .toArray();
    readAll(rows, z.object({ id: z.string() })).forEach(({ id }) => present.add(id));
  }
  return present;
}

function readAll<T>(rows: readonly unknown[], schema: z.ZodType<T>): T[] {
  return rows.map((row) => schema.safeParse(row)).flatMap((parsed) => (parsed.success ? [parsed.data] : []));
}

function readEpisodes(rows: readonly unknown[]): Episode[] {
  return rows.map(fromRow).filter((episode) => episode !== undefined);
}

const scoreSchema = z.object({ _score: z.number().optional(), _distance: z.number().optional() });

function readFound(
  rows: readonly unknown[],
  scoreOf: (row: z.infer<typeof scoreSchema>) => number | undefined,
): Found[] {
  return rows.flatMap((row) => {
    const place = placeSchema.safeParse(row);
    const score = scoreSchema.safeParse(row);
    const value = score.success ? scoreOf(score.data) : undefined;
    return place.success && value !== undefined ? [{ place: place.data, score: value }] : [];
  });
}

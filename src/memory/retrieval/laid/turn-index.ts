import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../../agent/failure.ts";
import { placesAt, type EpisodeTable } from "../../store/episodes.ts";
import { KnownRows, type LaidRows, type RowsKnown } from "../../store/known-rows.ts";
import { embeddedPlacesAt, type EmbeddedPlace } from "../../store/nearest.ts";
import { all, inScopes, isOneOf } from "../../store/sql.ts";
import type { StoreTable } from "../../store/table.ts";
import type { DenseView, Place, Turn } from "../candidates.ts";
import type { Vectors } from "../../store/vectors.ts";
import { LaidPlaces } from "./laid-places.ts";
import { LaidTurns } from "./laid-turns.ts";
import { rowsWhere, turnsAt, turnsWhere } from "./turn-columns.ts";

/** Of larger tables nothing is kept: some 130 bytes a row, so 26 MB at most, and 12 for each of its embeddings. */
const MOST_ROWS = 200_000;
/** Reading so many rows at once takes as long as a search that knows nothing takes longer than one that knows all. */
const WORTH_OF_ALL = 10_000;
/** And than one that knows all but which rows there are, or where the embeddings of one kind stand. */
const WORTH_OF_PART = 1_500;

/** Which of the sessions' turns are read. */
interface TurnOptions {
  readonly limit: number;
  readonly scopes: readonly string[] | undefined;
}

/** A table of embeddings whose rows stand where turns do. */
interface View {
  readonly table: StoreTable;
  readonly known: KnownRows<EmbeddedPlace>;
}

/**
 * What a search has to know of the turns of a store beyond what it looks for: where they stand, and which are beside
 * them. It is asked of the store, until so many searches did that they took as long as reading all of it once takes;
 * then it is read, beside the search, and kept in columns.
 *
 * It is right whoever writes: what a row holds never changes where it lies, and which rows there are is known for one
 * version of the table alone. After any write it is asked again.
 */
export class TurnIndex {
  readonly #table: StoreTable;
  readonly #vectors: Vectors;
  readonly #places: KnownRows<Place>;
  readonly #turns: KnownRows<Turn>;
  readonly #views = new Map<string, View>();
  #laid: LaidTurns | undefined;
  /** The version of which all of its rows are known; undefined when it was written to while they were read. */
  #version: number | undefined;
  /** Rows that could have been read in the time that searches lost. */
  #lost = 0;
  #reading: Promise<void> | undefined;

  constructor(episodes: EpisodeTable, vectors: Vectors) {
    this.#table = episodes.table;
    this.#vectors = vectors;
    this.#places = new KnownRows(this.#table, placesAt);
    this.#turns = new KnownRows(this.#table, turnsAt);
  }

  /** Where turns stand, by where their episodes lie. */
  get places(): RowsKnown<Place> {
    return this.#places;
  }

  /** Where turns stand, by where the embeddings of a model lie that are of so many numbers. */
  placesOf(model: string, view: DenseView, dimensions: number): RowsKnown<EmbeddedPlace> {
    const table = this.#vectors.tableOf(model, view, dimensions);
    const { name } = table.spec;
    const own = this.#views.get(name);
    // A table that was dropped is another one, though of the same name.
    if (own?.table === table) return own.known;
    const known = new KnownRows<EmbeddedPlace>(table, embeddedPlacesAt);
    this.#views.set(name, { table, known });
    return known;
  }

  /** The turns of these sessions, in no order, at most `limit`. */
  turnsOf(
    sessionIds: readonly string[],
    options: TurnOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Turn[]>> {
    return this.#table.read<readonly Turn[]>(
      [],
      async (table) => {
        const filter = all(isOneOf("session_id", sessionIds), inScopes(options.scopes)) ?? "false";
        const turns = await this.#known(table, sessionIds, filter, options, signal);
        // Which of them stay within the bound is for one query to say.
        if (turns !== undefined && turns.length < options.limit) return turns;
        const whole = await turnsWhere(table, filter, options.limit);
        this.#lose(WORTH_OF_ALL, signal);
        return whole;
      },
      signal,
    );
  }

  /** Resolves when nothing is read beside the searches. */
  async settled(): Promise<void> {
    await this.#reading;
  }

  async #known(
    table: Table,
    sessionIds: readonly string[],
    filter: string,
    { limit, scopes }: TurnOptions,
    signal: AbortSignal,
  ): Promise<readonly Turn[] | undefined> {
    const generation = this.#turns.begin();
    if (generation === undefined) {
      this.#laid = undefined;
      return undefined;
    }
    const version = await table.version();
    if (generation !== this.#turns.begin()) return undefined;
    const lacks = [...this.#views.values()].some(({ known }) => known.begin() === undefined);
    if (lacks || version !== this.#version) this.#lose(WORTH_OF_PART, signal);
    if (this.#laid !== undefined && version === this.#version) {
      return this.#laid.ofSessions(sessionIds, scopes);
    }
    return this.#turns.at(table, await rowsWhere(table, filter, limit), generation);
  }

  /** Counts what a search lost, and reads all once that is worth it. */
  #lose(rows: number, signal: AbortSignal): void {
    // Where it can't be told which table it is, nothing may be kept of it.
    if (this.#table.generation() === undefined) return;
    this.#lost += rows;
    this.#reading ??= this.#readAll(signal).finally(() => {
      this.#reading = undefined;
    });
  }

  async #readAll(signal: AbortSignal): Promise<void> {
    const before = this.#laid;
    const read = await this.#table.read(undefined, (table) => this.#readTurns(table, signal), signal);
    if (!read.ok || read.value === undefined) return;
    const turns = read.value;
    for (const view of this.#views.values()) {
      if (turns !== before || view.known.begin() === undefined) await this.#readView(view, turns, signal);
    }
  }

  /** All turns of the table as it now is; undefined when it is too large, or reading it is not worth it yet. */
  async #readTurns(table: Table, signal: AbortSignal): Promise<LaidTurns | undefined> {
    const generation = this.#table.generation();
    const count = await table.countRows();
    if (generation === undefined || count > MOST_ROWS || count > this.#lost) return undefined;
    this.#lost = 0;
    const version = await table.version();
    if (generation === this.#turns.begin() && version === this.#version) return this.#laid;
    const laid = await LaidTurns.read(table, count, signal);
    const isStill = (await table.version()) === version;
    if (laid === undefined || generation !== this.#table.generation()) return undefined;
    this.#laid = laid;
    this.#version = isStill ? version : undefined;
    this.#turns.fill(laid, generation);
    this.#places.fill(laid.places(), generation);
    return laid;
  }

  async #readView({ table: own, known }: View, turns: LaidTurns, signal: AbortSignal): Promise<void> {
    const generation = own.generation();
    if (generation === undefined) return;
    const absent: LaidRows<EmbeddedPlace> = { at: () => undefined };
    const read = await own.read<LaidRows<EmbeddedPlace> | undefined>(
      absent,
      async (table) => LaidPlaces.read(table, turns, await table.countRows(), signal),
      signal,
    );
    if (read.ok && read.value !== undefined && generation === own.generation())
      known.fill(read.value, generation);
  }
}

import type { Table, VectorQuery } from "@lancedb/lancedb";
import type { ColumnsRow } from "./columns.ts";
import { readColumns } from "./columns.ts";
import type { RowsKnown } from "./known-rows.ts";

/** Where the row stands that an embedding is of. */
export interface EmbeddedPlace {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly time: number;
  /** Where the row of what was embedded lies, where that is known; to be checked by the id. */
  readonly row?: number;
}

/** A row near to an embedding. */
export interface Near extends EmbeddedPlace {
  /** Cosine, -1..1. */
  readonly similarity: number;
}

/** Where a row near to an embedding stands. */
export interface NearPlace {
  readonly place: EmbeddedPlace;
  /** Cosine, -1..1. */
  readonly score: number;
}

/** So many times the rows wanted are looked at with their whole embeddings; the index holds shortened ones. */
const REFINE = 2;
/** How widely the index is searched at least; less than the rows looked at is an error of the library. */
const LEAST_EF = 50;

const NEAR_COLUMNS = { _rowid: "number", _distance: "number" } as const;
const PLACE_COLUMNS = {
  id: "string",
  session_id: "string",
  turn_id: "string",
  time: "number",
  _rowid: "number",
} as const;

const PLACES = Object.keys(PLACE_COLUMNS).filter((name) => name !== "_rowid");

/** Which rows are looked for. */
export interface NearOptions {
  readonly limit: number;
  /** A filter in the form of sql.ts. */
  readonly where?: string | undefined;
}

/**
 * The rows of a table of embeddings that are nearest to one, best first. Where it is known where they stand, that is not
 * read again. Rejects as the library does.
 */
export async function nearest(
  table: Table,
  embedding: Float32Array,
  options: NearOptions,
  known?: RowsKnown<EmbeddedPlace>,
): Promise<readonly NearPlace[]> {
  const generation = known?.begin();
  if (known === undefined || generation === undefined) return nearestWhole(table, embedding, options);
  const query = nearestTo(table, embedding, options).select(["_distance"]).withRowId();
  const found = readColumns(await query.toArrow(), NEAR_COLUMNS);
  const rows = found.map(({ _rowid }) => _rowid);
  const places = await known.at(table, rows, generation);
  if (places === undefined) return nearestWhole(table, embedding, options);
  return places.map((place, index) => ({ place, score: 1 - (found[index]?._distance ?? 2) }));
}

async function nearestWhole(
  table: Table,
  embedding: Float32Array,
  options: NearOptions,
): Promise<readonly NearPlace[]> {
  const columns = { ...PLACE_COLUMNS, ...NEAR_COLUMNS };
  const query = nearestTo(table, embedding, options)
    .select([...PLACES, "_distance"])
    .withRowId();
  return readColumns(await query.toArrow(), columns).map((row) => ({
    place: placeOf(row),
    score: 1 - row._distance,
  }));
}

function nearestTo(table: Table, embedding: Float32Array, { limit, where }: NearOptions): VectorQuery {
  const query = table
    .query()
    .nearestTo(embedding)
    .column("embedding")
    .distanceType("cosine")
    .ef(Math.max(LEAST_EF, limit * REFINE))
    .refineFactor(REFINE)
    .limit(limit);
  return where === undefined ? query : query.where(where);
}

/** Where the rows of a table of embeddings stand that lie at these places. Rejects as the library does. */
export async function embeddedPlacesAt(
  table: Table,
  rows: readonly number[],
): Promise<ReadonlyMap<number, EmbeddedPlace>> {
  const taken = table
    .takeRowIds([...rows])
    .select(PLACES)
    .withRowId();
  return new Map(readColumns(await taken.toArrow(), PLACE_COLUMNS).map((row) => [row._rowid, placeOf(row)]));
}

function placeOf({ id, session_id, turn_id, time }: ColumnsRow<typeof PLACE_COLUMNS>): EmbeddedPlace {
  return { id, sessionId: session_id, turnId: turn_id, time };
}

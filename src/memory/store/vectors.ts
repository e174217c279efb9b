import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { damaged } from "./failures.ts";
import type { RowsKnown } from "./known-rows.ts";
import type { EmbeddedPlace, Near, NearOptions, NearPlace } from "./nearest.ts";
import { nearest } from "./nearest.ts";
import { IDS_PER_FILTER, idFilters, presentIds, readAll } from "./present.ts";
import type { TableSpec } from "./spec.ts";
import { isOneOf } from "./sql.ts";
import type { StoreTable } from "./table.ts";
import type { Tables } from "./tables.ts";
import { KINDS, type VectorKind, type VectorRow, type VectorSink } from "./vector-row.ts";
import { PREFIX, describe, tableName, toVector, vectorColumns } from "./vector-tables.ts";

export type { EmbeddedPlace, Near, NearPlace } from "./nearest.ts";
export type { VectorKind, VectorRow } from "./vector-row.ts";

/** The embeddings that one model made. */
export interface VectorModel {
  readonly model: string;
  readonly dimensions: number;
  readonly rows: number;
  readonly kinds: Readonly<Partial<Record<VectorKind, number>>>;
}

/** Which of these ids still have a row; asked under the lock, so that what was forgotten meanwhile is not brought back. */
export type StillThere = (
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<Result<ReadonlySet<string>>>;

/**
 * Embeddings of all kinds of rows, one table for each model and kind: models of any length live side by side, a switch
 * rewrites no row, and a search looks at nothing but its own kind.
 */
export class Vectors implements VectorSink {
  readonly #tables: Tables;
  readonly #dimensions = new Map<string, number>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** The table of a model's embeddings of one kind, whether it is there yet or not. */
  tableOf(model: string, kind: VectorKind, dimensions?: number): StoreTable {
    const name = tableName(model, kind);
    if (dimensions !== undefined && !this.#dimensions.has(name)) this.#dimensions.set(name, dimensions);
    return this.#tables.table({
      name,
      version: 1,
      schema: () => vectorColumns(model, kind, this.#dimensions.get(name) ?? 1),
      migrations: [],
      indexed: { id: "btree" },
      vectorColumn: "embedding",
    } satisfies TableSpec);
  }

  /**
   * Writes embeddings and gives how many; a later row with the same id and kind replaces the older. With `stillThere`
   * rows that are gone are left out: whoever forgets removes the row first and its embedding after.
   */
  async put(
    model: string,
    rows: readonly VectorRow[],
    signal: AbortSignal,
    stillThere?: StillThere,
  ): Promise<Result<number>> {
    const dimensions = rows[0]?.embedding.length ?? 0;
    if (rows.some(({ embedding }) => embedding.length !== dimensions || dimensions === 0)) {
      return failed("bad_input", "Embeddings of one model must all be of one length.");
    }
    let written = 0;
    for (const kind of KINDS) {
      const own = new Map(rows.filter((row) => row.kind === kind).map((row) => [row.id.toLowerCase(), row]));
      if (own.size === 0) continue;
      const put = await this.#putKind(this.tableOf(model, kind, dimensions), own, signal, stillThere);
      if (!put.ok) return put;
      written += put.value;
    }
    return success(written);
  }

  /** The rows nearest to an embedding of the same model, best first; none while there are no embeddings of the model. */
  async near(
    model: string,
    kind: VectorKind,
    embedding: Float32Array,
    options: NearOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Near[]>> {
    const found = await this.nearPlaces(model, kind, embedding, options, signal);
    return found.ok
      ? success(found.value.map(({ place, score }) => ({ ...place, similarity: score })))
      : found;
  }

  /** The same as places. Where rows stand is not read again as far as `known` knows it. */
  nearPlaces(
    model: string,
    kind: VectorKind,
    embedding: Float32Array,
    options: NearOptions,
    signal: AbortSignal,
    known?: RowsKnown<EmbeddedPlace>,
  ): Promise<Result<readonly NearPlace[]>> {
    return this.tableOf(model, kind, embedding.length).read<readonly NearPlace[]>(
      [],
      (table) => nearest(table, embedding, options, known),
      signal,
    );
  }

  /** Those of the ids that the model has not embedded yet, in the order given. */
  async missing(
    model: string,
    kind: VectorKind,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<readonly string[]>> {
    const there = await this.tableOf(model, kind).read(
      new Set<string>(),
      (table) => presentIds(table, ids),
      signal,
    );
    return there.ok ? success(ids.filter((id) => !there.value.has(id))) : there;
  }

  /** The ids of all rows of a kind that the model has embedded. */
  embedded(model: string, kind: VectorKind, signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    return this.tableOf(model, kind).read<ReadonlySet<string>>(
      new Set<string>(),
      async (table) =>
        new Set(
          readAll(await table.query().select(["id"]).toArray(), z.object({ id: z.string() })).map(
            ({ id }) => id,
          ),
        ),
      signal,
    );
  }

  /** The models there are embeddings of, by name. */
  async models(signal: AbortSignal): Promise<Result<readonly VectorModel[]>> {
    const tables = await this.#all(signal);
    if (!tables.ok) return tables;
    const models = new Map<string, VectorModel>();
    for (const { model, kind, dimensions, table } of tables.value) {
      const rows = await table.count(undefined, signal);
      if (!rows.ok) return rows;
      const known = models.get(model) ?? { model, dimensions, rows: 0, kinds: {} };
      models.set(model, {
        ...known,
        rows: known.rows + rows.value,
        kinds: { ...known.kinds, [kind]: rows.value },
      });
    }
    return success([...models.values()].sort((a, b) => (a.model < b.model ? -1 : 1)));
  }

  /** Removes the embeddings of rows, of every kind and model and from the disk too; gives how many there were. */
  async wipe(ids: readonly string[], signal: AbortSignal): Promise<Result<number>> {
    const tables = await this.#all(signal);
    if (!tables.ok) return tables;
    const filters = idFilters(ids);
    let removed = 0;
    // Writing the tables' files anew takes most of the time, and none of them waits for another.
    const all = await Promise.all(tables.value.map(({ table }) => table.wipe(filters, signal)));
    for (const wiped of all) {
      if (!wiped.ok) return wiped;
      removed += wiped.value;
    }
    return success(removed);
  }

  /**
   * Removes the embeddings of rows of one kind, of every model, so that they are made anew; what they held stays on the
   * disk until the files are next put together. Gives how many there were.
   */
  async remove(kind: VectorKind, ids: readonly string[], signal: AbortSignal): Promise<Result<number>> {
    const tables = await this.#all(signal);
    if (!tables.ok) return tables;
    let removed = 0;
    for (const { table } of tables.value.filter((each) => each.kind === kind)) {
      const gone = await table.remove(idFilters(ids), signal);
      if (!gone.ok) return gone;
      removed += gone.value;
    }
    return success(removed);
  }

  /** Removes all embeddings of a model. */
  async drop(model: string, signal: AbortSignal): Promise<Result<void>> {
    const tables = await this.#all(signal);
    if (!tables.ok) return tables;
    const connection = await this.#tables.connect();
    if (!connection.ok) return connection;
    for (const own of tables.value.filter((each) => each.model === model)) {
      const { name } = own.table.spec;
      const dropped = await own.table.lock.run(async () => {
        if (await this.#tables.hasTable(name)) await connection.value.dropTable(name);
      }, signal);
      this.#tables.release(name);
      this.#dimensions.delete(name);
      if (!dropped.ok) return dropped;
    }
    return success(undefined);
  }

  #putKind(
    table: StoreTable,
    rows: ReadonlyMap<string, VectorRow>,
    signal: AbortSignal,
    stillThere: StillThere | undefined,
  ): Promise<Result<number>> {
    return table.change(async (opened) => {
      const alive = stillThere === undefined ? undefined : await stillThere([...rows.keys()], signal);
      if (alive?.ok === false) throw new Error(alive.failure.message);
      const wanted = [...rows].filter(([id]) => alive?.value.has(id) ?? true);
      if (wanted.length === 0) return 0;
      const known = [
        ...(await presentIds(
          opened,
          wanted.map(([id]) => id),
        )),
      ];
      for (let start = 0; start < known.length; start += IDS_PER_FILTER) {
        await opened.delete(isOneOf("id", known.slice(start, start + IDS_PER_FILTER)));
      }
      await opened.add(wanted.map(([id, row]) => toVector(id, row)));
      return wanted.length;
    }, signal);
  }

  /** All tables of embeddings, those that other windows made too. */
  async #all(
    signal: AbortSignal,
  ): Promise<Result<readonly { model: string; kind: VectorKind; dimensions: number; table: StoreTable }[]>> {
    const connection = await this.#tables.connect();
    if (!connection.ok) return connection;
    try {
      const found = [];
      for (const name of await this.#tables.tableNames()) {
        if (signal.aborted) break;
        if (!name.startsWith(PREFIX)) continue;
        const opened = await connection.value.openTable(name).catch(() => undefined);
        const own = opened === undefined ? undefined : describe(await opened.schema());
        opened?.close();
        if (own !== undefined && tableName(own.model, own.kind) === name) {
          found.push({ ...own, table: this.tableOf(own.model, own.kind, own.dimensions) });
        }
      }
      return success(found);
    } catch (error) {
      return { ok: false, failure: damaged(this.#tables.uri, error) };
    }
  }
}

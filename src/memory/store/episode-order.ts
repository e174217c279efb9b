import type { Table } from "@lancedb/lancedb";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { SORT_COLUMNS } from "../../agent/memory/types.ts";
import type { AnnotationTable } from "./annotations.ts";
import { all, inScopes, isOneOf, mentions } from "./sql.ts";
import type { StoreTable } from "./table.ts";

/** How the episodes of a list are chosen and sorted. */
export interface EpisodeOrder {
  /** Words that question, answer or the user's edit of them must hold. */
  readonly filter?: string | undefined;
  /** Newest first when left out. Episodes without a score come after those that have one. */
  readonly sort?:
    { readonly column: (typeof SORT_COLUMNS)["episodes"][number]; readonly ascending: boolean } | undefined;
  /** Left out: all. */
  readonly scopes?: readonly string[] | undefined;
}

/** Ids in order; columnar, so that a hundred thousand of them take a few MB. */
interface Ids {
  readonly length: number;
  get(index: number): unknown;
}

interface Sorted {
  readonly key: string;
  readonly ids: Ids;
}

const NONE: Ids = { length: 0, get: () => undefined };

/** Orders that are kept: a page further on costs no sorting. */
const KEPT = 2;
/** Edited episodes that a filter looks at beside the others. */
const MAX_EDITED = 2_000;

/** Knows the order of all episodes of a list, so that any page of it is found at once while the store does not change. */
export class EpisodeOrders {
  readonly #episodes: StoreTable;
  readonly #annotations: AnnotationTable;
  #kept: readonly Sorted[] = [];

  constructor(episodes: StoreTable, annotations: AnnotationTable) {
    this.#episodes = episodes;
    this.#annotations = annotations;
  }

  /** The ids of one page in their order, and how many there are on all pages. */
  async page(
    order: EpisodeOrder,
    offset: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<Result<{ readonly ids: readonly string[]; readonly total: number }>> {
    const version = await this.#version(signal);
    if (!version.ok) return version;
    const key = JSON.stringify([version.value, order.filter, order.sort, order.scopes]);
    let sorted = this.#kept.find((each) => each.key === key);
    if (sorted === undefined) {
      const ids = await this.#sorted(order, signal);
      if (!ids.ok) return ids;
      sorted = { key, ids: ids.value };
      this.#kept = [sorted, ...this.#kept].slice(0, KEPT);
    }
    const { ids } = sorted;
    const end = Math.min(offset + limit, ids.length);
    const page = Array.from({ length: Math.max(0, end - offset) }, (_, index) =>
      String(ids.get(offset + index)),
    );
    return success({ ids: page, total: ids.length });
  }

  async #version(signal: AbortSignal): Promise<Result<string>> {
    const episodes = await this.#episodes.read(0, (table) => table.version(), signal);
    if (!episodes.ok) return episodes;
    const annotations = await this.#annotations.table.read(0, (table) => table.version(), signal);
    return annotations.ok ? success(`${episodes.value} ${annotations.value}`) : annotations;
  }

  async #sorted({ filter, sort, scopes }: EpisodeOrder, signal: AbortSignal): Promise<Result<Ids>> {
    const words = filter?.trim() ?? "";
    const holding = words === "" ? success(undefined) : await this.#holding(words, signal);
    if (!holding.ok) return holding;
    const where = all(holding.value, inScopes(scopes));
    const { column, ascending } = sort ?? { column: "time", ascending: false };
    if (column !== "score") {
      return this.#episodes.read<Ids>(NONE, (table) => ids(table, column, ascending, where), signal);
    }
    const scores = await this.#annotations.ofKind("score", signal);
    if (!scores.ok) return scores;
    const newest = await this.#episodes.read<Ids>(NONE, (table) => ids(table, "time", false, where), signal);
    return newest.ok ? success(byScore(newest.value, scores.value, ascending)) : newest;
  }

  /** The filter for episodes that hold the words, in the user's own words too. */
  async #holding(words: string, signal: AbortSignal): Promise<Result<string>> {
    const edits = await this.#annotations.ofKind("edit", signal);
    if (!edits.ok) return edits;
    const wanted = words.toLowerCase();
    const edited = [...edits.value]
      .filter(([, { question = "", answer = "" }]) =>
        [question, answer].some((text) => text.toLowerCase().includes(wanted)),
      )
      .map(([id]) => id)
      .slice(0, MAX_EDITED);
    return success(edited.length === 0 ? mentions(words) : `${mentions(words)} OR ${isOneOf("id", edited)}`);
  }
}

const idsSchema = z.custom<Ids>((value) => value !== null && typeof value === "object" && "get" in value);

async function ids(
  table: Table,
  column: string,
  ascending: boolean,
  where: string | undefined,
): Promise<Ids> {
  const query = table.query();
  if (where !== undefined) query.where(where);
  const sorted = await query
    .orderBy([
      { columnName: column, ascending },
      { columnName: "id", ascending: true },
    ])
    // What is sorted by has to be selected too. No other column: whole rows take ten times as long.
    .select(["id", column])
    .toArrow();
  return sorted.numRows === 0 ? NONE : idsSchema.parse(sorted.getChild("id"));
}

function byScore(newest: Ids, scores: ReadonlyMap<string, number | null>, ascending: boolean): Ids {
  const all = Array.from({ length: newest.length }, (_, index) => String(newest.get(index)));
  const isScored = (id: string): boolean => typeof scores.get(id) === "number";
  const scored = all.filter(isScored);
  const sign = ascending ? 1 : -1;
  scored.sort((a, b) => sign * ((scores.get(a) ?? 0) - (scores.get(b) ?? 0)));
  const sorted = [...scored, ...all.filter((id) => !isScored(id))];
  return { length: sorted.length, get: (index) => sorted[index] };
}

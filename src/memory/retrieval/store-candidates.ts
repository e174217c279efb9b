import type { Result } from "../../agent/failure.ts";
import type { Episode, EpisodeNotes } from "../../agent/memory/port.ts";
import type { AnnotationTable } from "../store/annotations.ts";
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
import { TurnIndex } from "./laid/turn-index.ts";

/** The tables of a store as a search sees them. */
export interface SearchedTables {
  readonly episodes: EpisodeTable;
  readonly annotations: AnnotationTable;
  readonly vectors: Vectors;
}

/** Candidates out of the tables of a store. */
export class StoreCandidates implements CandidateSource {
  readonly #tables: SearchedTables;
  readonly #turns: TurnIndex;

  constructor(tables: SearchedTables) {
    this.#tables = tables;
    this.#turns = indexOf(tables);
  }

  /** Resolves when nothing is read of the store beside the searches. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  count(filter: CandidateFilter, signal: AbortSignal): Promise<Result<number>> {
    return this.#tables.episodes.table.count(where(filter), signal);
  }

  matching(
    words: readonly string[],
    { limit, filter }: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Found[]>> {
    return this.#tables.episodes.matching(words, { limit, where: where(filter) }, signal, this.#turns.places);
  }

  near(
    model: string,
    view: DenseView,
    embedding: Float32Array,
    { limit, filter }: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Found[]>> {
    const known = this.#turns.placesOf(model, view, embedding.length);
    const options = { limit, where: where(filter) };
    return this.#tables.vectors.nearPlaces(model, view, embedding, options, signal, known);
  }

  turnsOf(
    sessionIds: readonly string[],
    { limit, filter }: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Turn[]>> {
    return this.#turns.turnsOf(sessionIds, { limit, scopes: filter.scopes }, signal);
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

/** What is known of a store's turns is kept with its tables, whoever searches them. */
const indexes = new WeakMap<EpisodeTable, TurnIndex>();

function indexOf({ episodes, vectors }: SearchedTables): TurnIndex {
  const index = indexes.get(episodes) ?? new TurnIndex(episodes, vectors);
  indexes.set(episodes, index);
  return index;
}

function where({ scopes, from, to, ids }: CandidateFilter): string | undefined {
  return all(
    ids === undefined ? undefined : isOneOf("id", validIds(ids)),
    inScopes(scopes),
    from === undefined ? undefined : `time >= ${from}`,
    to === undefined ? undefined : `time <= ${to}`,
  );
}

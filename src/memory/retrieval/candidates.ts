import type { Result } from "../../agent/failure.ts";
import type { Episode, EpisodeNotes } from "../../agent/memory/port.ts";

/** Where an episode stands: what is needed to tell which turns are before and after it. */
export interface Place {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Where the store found it a moment ago: reading it from there is faster than by its id. */
  readonly row?: number;
}

/** A place and what is to be known of its text without reading the whole of it. */
export interface Turn extends Place {
  /** The agent that answered. */
  readonly agent: string;
  /** The name and the colon that the question begins with, as a transcript's lines do; empty when it has none. */
  readonly head: string;
  /** The last thing said asks something, so that the next turn answers it. */
  readonly asks: boolean;
  /** Of question and answer together, in characters. */
  readonly length: number;
}

/** A row that one view found, with that view's own score: BM25, or cosine similarity. */
export interface Found {
  readonly place: Place;
  readonly score: number;
}

/** Which episodes are looked at. Left out: all. */
export interface CandidateFilter {
  readonly scopes?: readonly string[] | undefined;
  /** Milliseconds since the epoch, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Of these alone. */
  readonly ids?: readonly string[] | undefined;
}

/** How many rows of which kind. */
export interface CandidateOptions {
  readonly limit: number;
  readonly filter: CandidateFilter;
}

/** An embedding view: the turn alone, or the turn with the turns around it. */
export type DenseView = "episode" | "window";

/** What an edit says in place of what was said. */
export type Edit = NonNullable<EpisodeNotes["edit"]>;

/** Where candidates come from: all that a search asks of the store. Nothing of it throws. */
export interface CandidateSource {
  /** How many episodes there are. */
  count(filter: CandidateFilter, signal: AbortSignal): Promise<Result<number>>;
  /** The episodes whose text holds the words, best first, with BM25. */
  matching(
    words: readonly string[],
    options: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Found[]>>;
  /** The episodes nearest to an embedding of a model, best first, with the cosine. */
  near(
    model: string,
    view: DenseView,
    embedding: Float32Array,
    options: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Found[]>>;
  /** The turns of some sessions, in no order. */
  turnsOf(
    sessionIds: readonly string[],
    options: CandidateOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly Turn[]>>;
  /** The episodes that stand at these places, in no order; gone ones are left out. */
  byPlaces(places: readonly Place[], signal: AbortSignal): Promise<Result<readonly Episode[]>>;
  /** The episodes with these ids, in no order; gone ones are left out. */
  byIds(ids: readonly string[], signal: AbortSignal): Promise<Result<readonly Episode[]>>;
  /** What is known of these episodes beyond themselves; those without anything are left out. */
  notes(ids: readonly string[], signal: AbortSignal): Promise<Result<ReadonlyMap<string, EpisodeNotes>>>;
  /** What the user wrote in place of what was said, by episode. */
  edits(signal: AbortSignal): Promise<Result<ReadonlyMap<string, Edit>>>;
}

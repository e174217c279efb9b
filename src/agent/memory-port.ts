import type { Result } from "./failure.ts";

/** One remembered turn. Append-only: an episode is never rewritten. */
export interface Episode {
  /** UUID. */
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly question: string;
  readonly answer: string;
  readonly agent: string;
  /** `A` unless said otherwise. */
  readonly respondent: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `turn` for a remembered turn, else what `save_memory` said it is. */
  readonly kind: string;
}

/** Why a memory was found: each part scaled to 0..1 before it is weighted. */
export interface ScoreParts {
  readonly text?: number;
  readonly vector?: number;
  readonly [part: string]: number | undefined;
}

/** One found memory. */
export interface MemoryHit {
  readonly episode: Episode;
  /** Weighted sum of the parts, 0..1. */
  readonly score: number;
  readonly parts: ScoreParts;
}

/** What a search found, and how. */
export interface MemorySearch {
  readonly hits: readonly MemoryHit[];
  /** How many episodes the store held. */
  readonly searched: number;
  /** Said when something was off, such as "full-text search only: no embedding model". */
  readonly note?: string;
}

/** What a search is asked. */
export interface MemoryQuery {
  readonly query: string;
  /** At most this many hits. */
  readonly limit: number;
  /** Episodes of these turns are left out: the conversation already holds them. */
  readonly excludeTurnIds?: readonly string[];
}

/** How memory is, for status views and Check Set-up. */
export interface MemoryStatus {
  readonly state: "off" | "idle" | "starting" | "ready" | "failed";
  readonly episodes?: number;
  /** Such as `Xenova/all-MiniLM-L6-v2`, or absent with full-text search only. */
  readonly embedder?: string;
  /** A sentence for people when something is off. */
  readonly message?: string;
  readonly storePath?: string;
  readonly pid?: number;
}

/** One page of the memory table, newest first. */
export interface MemoryPage {
  readonly rows: readonly Episode[];
  readonly total: number;
}

/** What `forget` removed. */
export interface Forgotten {
  readonly removed: number;
}

/**
 * Memory as the agent layer knows it. Nothing here throws; an absent or dead store is the failure
 * `memory_unavailable` with a sentence that says what still works.
 */
export interface MemoryPort {
  search(query: MemoryQuery, signal: AbortSignal): Promise<Result<MemorySearch>>;
  /** Adds episodes; resolves once they are on disk. */
  add(episodes: readonly Episode[], signal: AbortSignal): Promise<Result<{ readonly added: number }>>;
  list(
    page: { readonly offset: number; readonly limit: number; readonly filter?: string },
    signal: AbortSignal,
  ): Promise<Result<MemoryPage>>;
  /** Removes episodes by id; ids that match nothing count as 0 removed. */
  forget(ids: readonly string[], signal: AbortSignal): Promise<Result<Forgotten>>;
  status(signal: AbortSignal): Promise<MemoryStatus>;
}

import type { Fact, Relationship } from "./knowledge.ts";

/** What the knowledge graph is asked. */
export interface GraphQuery {
  readonly people: readonly string[];
  readonly locations: readonly string[];
  readonly scopes?: readonly string[];
  /** At most this many lines; 20 when left out. */
  readonly limit?: number;
}

/** One line of the knowledge graph. */
export interface GraphLine {
  readonly relationship: Relationship;
  /** 1 or 2. */
  readonly hops: number;
  /** `IS ... (current)` or `WAS ... (past)`. */
  readonly text: string;
}

/** What the knowledge graph says, the most recent and strongest first. */
export interface GraphAnswer {
  readonly lines: readonly GraphLine[];
  /** Names that were asked for and are not known. */
  readonly unknown: readonly string[];
}

/** What a context card is asked for. */
export interface MemoryCardQuery {
  readonly question: string;
  readonly agent: string;
  readonly scopes?: readonly string[];
  /** Facts with less confidence are left out. */
  readonly minConfidence: number;
  /** Facts from these turns are left out: the conversation holds them. */
  readonly excludeTurnIds?: readonly string[];
  /** Only facts of these owners; left out: those of the user and of the agent. */
  readonly owners?: readonly string[];
  /** So many facts that fit and so many of the latest others; left out: five, by both together. */
  readonly facts?: { readonly fitting: number; readonly latest: number };
}

/** What memory gives to a context card; the agent layer adds the persona and cuts it to size. */
export interface MemoryCard {
  /** At most 2. */
  readonly relationships: readonly Relationship[];
  /** At most 5, by recency and similarity, or as many as were asked for. */
  readonly facts: readonly Fact[];
  readonly pinned: readonly Fact[];
  /** At most 2, the agent's learnt ones, highest score first. */
  readonly interests: readonly { readonly name: string; readonly score: number }[];
}

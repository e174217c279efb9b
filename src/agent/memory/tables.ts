import type { Episode, EpisodeNotes } from "./episode.ts";
import type { Entity, EntityType, Fact, FactKind, Relationship, Resource } from "./knowledge.ts";
import type { Moment } from "./moments.ts";

/** The tables a user can look at. */
export type MemoryTable = "episodes" | "facts" | "people" | "relationships" | "resources" | "moments";

/** A row of the table of episodes. */
export type EpisodeRow = Episode & { readonly notes: EpisodeNotes };

/** The rows of each table. */
export interface MemoryRows {
  readonly episodes: EpisodeRow;
  readonly facts: Fact;
  readonly people: Entity;
  readonly relationships: Relationship;
  readonly resources: Resource;
  readonly moments: Moment;
}

/** The columns a table may be sorted by; the first is how it is sorted when nothing is said. */
export const SORT_COLUMNS = {
  episodes: ["time", "question", "agent", "model", "kind", "respondent", "score"],
  facts: ["updatedAt", "text", "subject", "kind", "confidence", "owner", "validFrom", "mentions"],
  people: ["updatedAt", "name", "type", "mentions"],
  relationships: ["updatedAt", "from", "to", "type", "strength", "validFrom"],
  resources: ["indexedAt", "title", "uri"],
  moments: ["time", "title", "agent"],
} as const satisfies { readonly [T in MemoryTable]: readonly string[] };

/** What page of a table is wanted. */
export interface MemoryTableQuery<T extends MemoryTable = MemoryTable> {
  readonly table: T;
  readonly offset: number;
  readonly limit: number;
  /** Words that a row must hold; left out: all rows. */
  readonly filter?: string;
  readonly sort?: { readonly column: (typeof SORT_COLUMNS)[T][number]; readonly ascending: boolean };
  readonly scopes?: readonly string[];
  /** Facts and relationships that no longer hold are left out. */
  readonly onlyCurrent?: boolean;
  /** Moments that are wholly before or after are left out; milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
}

/** One page of a table. */
export interface MemoryTablePage<T extends MemoryTable = MemoryTable> {
  readonly rows: readonly MemoryRows[T][];
  readonly total: number;
}

/** A change that the user makes by hand. */
export type MemoryEdit =
  | {
      readonly table: "episodes";
      readonly id: string;
      readonly question?: string;
      readonly answer?: string;
      readonly pinned?: boolean;
    }
  | {
      readonly table: "facts";
      readonly id: string;
      readonly text?: string;
      readonly kind?: FactKind;
      readonly subject?: string;
      readonly confidence?: number;
      readonly pinned?: boolean;
      /** False closes it, true opens it again. */
      readonly holds?: boolean;
    }
  | {
      readonly table: "people";
      readonly id: string;
      readonly name?: string;
      readonly type?: EntityType;
      readonly aliases?: readonly string[];
      readonly pinned?: boolean;
    }
  | {
      readonly table: "relationships";
      readonly id: string;
      readonly type?: string;
      readonly text?: string;
      readonly strength?: number;
      readonly holds?: boolean;
    }
  | {
      readonly table: "moments";
      readonly id: string;
      readonly title?: string;
      readonly text?: string;
      readonly pinned?: boolean;
    };

import type { Episode, EpisodeNotes } from "./memory-episode.ts";

/** Kinds of facts. */
export const FACT_KINDS = ["preference", "event", "fact", "relationship"] as const;
/** A kind of fact. */
export type FactKind = (typeof FACT_KINDS)[number];

/** Kinds of things in the knowledge graph. */
export const ENTITY_TYPES = ["person", "place", "project", "thing"] as const;
/** A kind of thing in the knowledge graph. */
export type EntityType = (typeof ENTITY_TYPES)[number];

/** Facts with less confidence than this are not used, unless the user says otherwise. */
export const CONFIDENCE_THRESHOLD = 0.5;
/** Confidence never leaves these bounds, however often a fact is repeated or doubted. */
export const CONFIDENCE_RANGE = { min: 0.2, max: 0.95 } as const;

/** The owner of what is known of the user; any other owner is an agent's name. */
export const USER = "user";

/** The turn something was learnt from. */
export interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** How something came to be known. */
export type LearntBy = "model" | "rules" | "tool" | "user";

/** A statement with confidence and source. */
export interface Fact {
  /** UUID. */
  readonly id: string;
  readonly kind: FactKind;
  readonly text: string;
  /** Whom or what it is about. */
  readonly subject: string;
  /** 0.2..0.95. */
  readonly confidence: number;
  /** `user`, or the name of the agent it belongs to. */
  readonly owner: string;
  readonly scope: string;
  /** It holds from then on, as far as known. */
  readonly validFrom: number;
  /** It no longer holds since then; null: it holds. */
  readonly validTo: number | null;
  /** When what it tells of happens, if it says so. */
  readonly eventFrom: number | null;
  readonly eventTo: number | null;
  /** How often it was said. */
  readonly mentions: number;
  readonly pinned: boolean;
  readonly by: LearntBy;
  readonly source: TurnRef;
  /** The user's words that it rests on. */
  readonly quote: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A fact as an extractor proposes it. */
export interface FactProposal {
  readonly kind: FactKind;
  /** Without words such as "tomorrow": dates are written out. */
  readonly text: string;
  readonly subject: string;
  /** 0..1. */
  readonly confidence: number;
  readonly owner: string;
  /** The words of the user's turn that say it. */
  readonly quote: string;
  readonly eventFrom?: number;
  readonly eventTo?: number;
  /** What it contradicts, in the words of the older fact, where the extractor saw that. */
  readonly contradicts?: string;
  /** Why it does not rest on the user's words, where that is known: it may then only restate what was recalled. */
  readonly ungrounded?: string;
}

/** Someone or something as an extractor proposes it. */
export interface EntityProposal {
  readonly name: string;
  readonly type: EntityType;
  readonly aliases?: readonly string[];
}

/** A relation as an extractor proposes it. Names refer to the entities beside it, or to known ones. */
export interface EdgeProposal {
  readonly from: string;
  readonly to: string;
  /** snake_case, such as `lives_in`, `works_at`, `sister_of`, `likes`. */
  readonly type: string;
  /** A sentence that tells it. */
  readonly text: string;
  /** 0..1. */
  readonly strength: number;
  /** False when it is told as over. */
  readonly holds: boolean;
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly quote: string;
}

/** What an agent's interest moves by. */
export interface InterestProposal {
  readonly name: string;
  /** Added to its score, -1..1. */
  readonly delta: number;
}

/** What was learnt from one turn. */
export interface Learnt {
  readonly source: TurnRef;
  readonly agent: string;
  readonly scope: string;
  readonly by: LearntBy;
  /** What the user said: nothing is stored that has no ground in it. */
  readonly said: string;
  /** What was recalled into the prompt: never learnt again, a restatement only counts as a mention. */
  readonly recalled: readonly string[];
  /** The persona's own card: never a source. */
  readonly persona?: string;
  readonly facts: readonly FactProposal[];
  readonly entities: readonly EntityProposal[];
  readonly edges: readonly EdgeProposal[];
  readonly interests?: readonly InterestProposal[];
}

/** What became of what was learnt. */
export interface Learned {
  readonly added: readonly { readonly id: string; readonly text: string }[];
  /** Known before: their confidence rose. */
  readonly repeated: readonly { readonly id: string; readonly text: string }[];
  /** Older facts that no longer hold. */
  readonly closed: readonly { readonly id: string; readonly text: string }[];
  /** Not stored, and why, in a few words. */
  readonly rejected: readonly { readonly text: string; readonly reason: string }[];
  readonly entities: number;
  readonly edges: number;
}

/** Someone or something in the knowledge graph. */
export interface Entity {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  readonly type: EntityType;
  readonly aliases: readonly string[];
  readonly scope: string;
  readonly mentions: number;
  readonly pinned: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A relation in the knowledge graph. */
export interface Relationship {
  /** UUID. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly fromId: string;
  readonly toId: string;
  readonly type: string;
  readonly text: string;
  /** 0..1; +0.05 for each mention. */
  readonly strength: number;
  readonly validFrom: number;
  /** Null: it holds. */
  readonly validTo: number | null;
  /** `user`, or the agent whose relationship it is. */
  readonly owner: string;
  readonly scope: string;
  readonly source: TurnRef;
  readonly mentions: number;
  readonly updatedAt: number;
}

/** A page fetched or a file given. */
export interface Resource {
  /** UUID. */
  readonly id: string;
  readonly uri: string;
  readonly title: string;
  readonly text: string;
  readonly scope: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly indexedAt: number;
}

/** A turn, by its ids. */
export interface TurnId {
  readonly sessionId: string;
  readonly turnId: string;
}

/** An excerpt that was kept on purpose, with the time it tells of. */
export interface Moment {
  /** UUID. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** When it was, both ends included; milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly scope: string;
  /** The agent that kept it. */
  readonly agent: string;
  /** The turn in which it was kept. */
  readonly source: TurnRef;
  /** Other turns that it tells of: it goes with any of them. */
  readonly turns: readonly TurnId[];
  /** The user pinned it: it comes before others that fit about as well. Left out: no. */
  readonly pinned?: boolean;
}

/** Which moments are wanted. */
export interface MomentQuery {
  /** What to look for; left out: all, the latest first. */
  readonly query?: string;
  /** Moments that are wholly before or after are left out; milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
  readonly scopes?: readonly string[];
  readonly limit: number;
  /** So many are left out before the first; 0 when left out. */
  readonly offset?: number;
}

/** Some moments: the best first where something was looked for, else the latest first. */
export interface MomentPage {
  /** `score`: 0..1, how well it fits; 1 where nothing was looked for. */
  readonly moments: readonly { readonly moment: Moment; readonly score: number }[];
  readonly total: number;
}

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

/** The tables that are forgotten from. */
export type ForgetTable = MemoryTable;

/** How many rows of each table; moments are left out where there are none. */
export type ForgetCounts = { readonly [T in Exclude<MemoryTable, "moments">]: number } & {
  readonly moments?: number;
};

/** What is to be forgotten. */
export type ForgetWhat =
  /** Rows of one table. With an episode goes all that was drawn from its turn. */
  | { readonly by: "ids"; readonly table: ForgetTable; readonly ids: readonly string[] }
  /** Everything that mentions a person, a place or any words. */
  | { readonly by: "about"; readonly about: string; readonly scopes?: readonly string[] }
  | { readonly by: "turns"; readonly turnIds: readonly string[] }
  | { readonly by: "session"; readonly sessionId: string }
  | { readonly by: "everything" };

/** What would go, so that a question can name it. */
export interface ForgetPreview {
  readonly counts: ForgetCounts;
  /** Some of it, one line each, at most 20. */
  readonly samples: readonly { readonly table: ForgetTable; readonly text: string }[];
}

/** What went. */
export interface Forgotten {
  readonly removed: number;
  readonly counts: ForgetCounts;
  /** The turns whose text went: the session logs keep a tombstone in its place. */
  readonly turns: readonly TurnId[];
}

/** Some lines of an export. */
export interface ExportPage {
  /** One JSON object each, with `table` and the row. */
  readonly lines: readonly string[];
  /** Where the next page begins; absent at the end. */
  readonly next?: string;
}

/** What an import added. */
export interface Imported {
  readonly added: number;
  /** Were there already. */
  readonly known: number;
  readonly bad: readonly { readonly line: number; readonly reason: string }[];
}

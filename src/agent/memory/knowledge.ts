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

import type { EntityType, FactKind, LearntBy, TurnRef } from "./knowledge.ts";

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

import type { Event, UsageData } from "./event-base.ts";
import type { Door } from "./events.ts";
import type { Failure } from "./failure.ts";
import type { Learned, LearntBy } from "./memory-types.ts";

/*
 * What is said of a turn beside its own work: what memory gave and took, what people and critics think of it.
 */

/** The turn was remembered, or why not. After `turn.end`, off the answer's path. */
export type MemoryIngested = Event<
  "memory.ingested",
  {
    readonly "conclave.episode_ids": readonly string[];
    readonly "conclave.duration_ms": number;
    /** How many memories (turns, facts, relations) the models of the turn were given. */
    readonly "conclave.retrieved"?: number;
    readonly error?: Failure;
  }
>;
/**
 * What was learnt from a remembered turn, or why nothing was. After `memory.ingested`, once the model was free for it.
 */
export type MemoryLearned = Event<
  "memory.learned",
  UsageData & {
    readonly "conclave.episode_ids": readonly string[];
    /** Facts that are new. */
    readonly "conclave.extracted": number;
    /** Facts that were known and rose, or that no longer hold. */
    readonly "conclave.updated": number;
    /** Who read the turn: a model, or rules where there was no model or it failed. Absent when nobody did. */
    readonly "conclave.by"?: LearntBy;
    readonly "gen_ai.request.model"?: string;
    readonly "conclave.learned"?: Learned;
    /** Why no model read the turn, in words. */
    readonly "conclave.skipped"?: string;
    /** From the beginning of the reading; waiting for the model to be free does not count. */
    readonly "conclave.duration_ms": number;
    readonly error?: Failure;
  }
>;
/** One line of a context card; `memory` is an earlier turn that was found beside it. */
export interface CardPart {
  readonly kind: "persona" | "relationship" | "fact" | "pinned" | "interest" | "memory";
  readonly text: string;
  /** Of the fact, the relationship or the episode. */
  readonly id?: string;
}
/**
 * What was recalled stands before the question in this turn's prompts: the context card (`text`, empty without one;
 * `tokens` is an estimate of it) and, for a model without tools, the turns that were found.
 */
export type MemoryCardEvent = Event<
  "memory.card",
  { readonly text: string; readonly tokens: number; readonly parts: readonly CardPart[] }
>;
/**
 * What the user thinks of an answer: of the turn's when it stands under the turn, of one persona's when it stands under
 * that agent. The latest one counts; `none` takes it back.
 */
export type UserFeedback = Event<
  "user.feedback",
  { readonly rating: "up" | "down" | "none"; readonly note?: string; readonly "conclave.door": Door }
>;
/** What feedback is worth to memory, within [-1, 1]. */
export type RewardEvent = Event<"reward.event", { readonly reward: number; readonly reason: string }>;
/** A critic's grade, 1-5, or none. It stands under the turn, or under the agent whose answer was graded. */
export type CritiqueResult = Event<
  "critique.result",
  { readonly score: number | null; readonly feedback: string; readonly "gen_ai.request.model": string }
>;
/**
 * A person put another grade in the place of a critic's, or gave one where there was none. It stands under what was
 * graded, as the grade does; null takes the grade away. The latest one counts.
 */
export type CritiqueCorrected = Event<
  "critique.corrected",
  { readonly score: number | null; readonly reason: string; readonly "conclave.by": string }
>;
/** A verdict between respondents A and B; null is a tie. */
export type PairwiseResult = Event<
  "pairwise.result",
  { readonly winner: "A" | "B" | null; readonly feedback: string; readonly "gen_ai.request.model": string }
>;

import type { Event, UsageData } from "./event-base.ts";
import type { Failure } from "./failure.ts";
import type { Learned, LearntBy } from "./memory/types.ts";

/*
 * What memory gave to a turn and took from it.
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
  {
    readonly text: string;
    readonly tokens: number;
    readonly parts: readonly CardPart[];
  }
>;

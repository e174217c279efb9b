import type { Event, Outcome, UsageData } from "./event-base.ts";
import type { Failure } from "./failure.ts";

/** Why a talk ended: all rounds were had, what was said repeated itself, it was stopped, or a persona failed. */
export type SandboxStop = "rounds" | "repetition" | "cancelled" | "failed";

/** Figures of a message or of a whole round. */
export interface SandboxCounters {
  /** Memories that stood on the speakers' cards. */
  readonly retrieved: number;
  /** Facts that are new. */
  readonly extracted: number;
  /** Facts that were known and rose, or that no longer hold. */
  readonly updated: number;
  /** 1 - cosine of what was said to the opening line; of a round their mean. Absent without embeddings. */
  readonly drift?: number;
  /** The highest cosine of what was said to what its speaker said before; of a round the highest. */
  readonly repetition?: number;
}

/** Personas begin to talk to each other: who with which model, from which opening line, for at most how many rounds. */
export type SandboxStart = Event<
  "sandbox.start",
  {
    readonly scenario: string;
    readonly opening: string;
    readonly rounds: number;
    readonly "conclave.personas": readonly { readonly name: string; readonly model: string }[];
    /** Milliseconds since the epoch. */
    readonly start: number;
  }
>;
/**
 * Something was said. It stands under the speaker's agent; the opening line, of round 0 and of nobody's model, stands
 * under the talk.
 */
export type SandboxMessage = Event<
  "sandbox.message",
  {
    /** From 1; 0 for the opening line. */
    readonly round: number;
    readonly speaker: string;
    readonly model: string;
    readonly role: "user" | "assistant";
    readonly content: string;
    /** How many words were said before it was cut at the word limit. */
    readonly "conclave.words_said"?: number;
    readonly "conclave.counters": SandboxCounters;
  }
>;
/** A talk is over. `conclave.rounds` holds the figures of each round, the first one first. */
export type SandboxEnd = Event<
  "sandbox.end",
  UsageData & {
    readonly outcome: Outcome;
    readonly "conclave.stopped": SandboxStop;
    readonly "conclave.rounds": readonly SandboxCounters[];
    readonly "conclave.messages_said": number;
    readonly "conclave.duration_ms": number;
    /** Of the persona that failed. */
    readonly speaker?: string;
    readonly error?: Failure;
  }
>;

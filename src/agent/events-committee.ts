import type { Event, Outcome, UsageData } from "./event-base.ts";
import type { Failure } from "./failure.ts";

/** A committee begins: who speaks with which model, how, and about how many tokens it will send at most. */
export type CommitteeStart = Event<
  "committee.start",
  {
    readonly "conclave.strategy": string;
    readonly "conclave.rounds": number;
    readonly "conclave.personas": readonly { readonly name: string; readonly model: string }[];
    readonly "conclave.synthesizer": string;
    readonly "conclave.estimated_tokens": number;
  }
>;
/** A round of a committee begins; `index` counts from 1. */
export type RoundStart = Event<"round.start", { readonly index: number; readonly of: number }>;
/** Where one member of a committee stands after a round. */
export interface Position {
  readonly agent: string;
  /** Of the agent's span. */
  readonly agentId: string;
  readonly model: string;
  readonly answer: string;
  /** Differs from what it said the round before; `reason` says why, in its own words. */
  readonly changed?: boolean;
  readonly reason?: string;
  /** It gave no answer; why. */
  readonly error?: Failure;
}
/** A round is over: the positions, and whether they agree where that was asked. */
export type RoundEnd = Event<
  "round.end",
  {
    readonly index: number;
    readonly positions: readonly Position[];
    readonly "conclave.agreed"?: boolean;
    /** In words, or the lowest similarity. */
    readonly "conclave.agreement"?: string;
  }
>;
/** Members ranked each other's answers without knowing whose they were; names are restored here. */
export type CommitteeRanking = Event<
  "committee.ranking",
  {
    /** Best first, by each voter whose ranking could be read. */
    readonly ballots: readonly { readonly voter: string; readonly order: readonly string[] }[];
    /** Best first; `mean` is the mean place, from 1. */
    readonly result: readonly { readonly agent: string; readonly mean: number; readonly votes: number }[];
  }
>;
/** What stands beside the synthesis, always computed. */
export interface Verdict {
  /** The one answer that is closest to all, or that the ranking puts first. */
  readonly best?: { readonly agent: string; readonly answer: string; readonly by: string };
  /** The answer that more than half hold, with who holds it. */
  readonly majority?: { readonly answer: string; readonly agents: readonly string[] };
  /** Who holds another view. */
  readonly minority: readonly { readonly agent: string; readonly answer: string }[];
}
/** A committee is done. `shown_as`: the letters under which the synthesizer saw the members. */
export type CommitteeEnd = Event<
  "committee.end",
  {
    readonly outcome: Outcome;
    readonly rounds: number;
    /** Why it stopped: all rounds were had, the members agreed, nothing new came, or it was cancelled. */
    readonly "conclave.stopped": "rounds" | "agreed" | "nothing_new" | "cancelled" | "failed";
    readonly "conclave.verdict": Verdict;
    readonly "conclave.shown_as": readonly { readonly letter: string; readonly agent: string }[];
    readonly "conclave.duration_ms": number;
  } & UsageData
>;

import type { Event, Outcome, UsageData } from "./event-base.ts";
import type { Door } from "./events-turn.ts";
import type { Failure } from "./failure.ts";

/*
 * What people and critics think of an answer, and what that is worth to memory. All of it comes after `turn.end`. It
 * stands under the turn, or under the agent whose own answer is meant; `respondent` says whose answer it is.
 */

/** What somebody did that tells, by a rule, what they think of an answer without having said so. */
export type ImplicitSign = "asked_again" | "contradicted" | "copied" | "applied";

/**
 * What the user thinks of an answer. The latest one counts; `none` takes it back. With a sign it was not said but
 * concluded from what the user did: weaker, and never in the place of what was said.
 */
export type UserFeedback = Event<
  "user.feedback",
  {
    readonly rating: "up" | "down" | "none";
    readonly note?: string;
    readonly "conclave.door": Door;
    readonly "conclave.implicit"?: ImplicitSign;
    /** Why the rule holds, in few words, such as the later question. */
    readonly "conclave.evidence"?: string;
  }
>;

/** One thing that a reward is made of. */
export interface RewardSource {
  readonly kind: "thumbs" | ImplicitSign;
  /** Its share, within [-1, 1], before the sum is bounded. */
  readonly worth: number;
  /** When it was said or done, milliseconds since the epoch. */
  readonly time: number;
  /** The id of the event that says so. */
  readonly event: string;
}

/**
 * What feedback is worth to memory, within [-1, 1], when it was given; memory lets it fade with time. `agent` and
 * `respondent` of the event name who gave the answer.
 */
export type RewardEvent = Event<
  "reward.event",
  {
    readonly reward: number;
    /** In words, for people. */
    readonly reason: string;
    /** The model that gave the answer. */
    readonly "gen_ai.request.model"?: string;
    readonly "conclave.sources"?: readonly RewardSource[];
    /** The episodes that carry it. */
    readonly "conclave.episode_ids"?: readonly string[];
  }
>;

/** How a judge was asked: in the form that Prometheus was trained on, or bound to an object. */
export type JudgeKind = "prometheus" | "constrained";

/** Who asked for a judgement: the critic by itself, the user, or an agent by a tool. */
export type JudgedFor = "critic" | "user" | "tool";

/** What every judgement says of how it came about. */
interface JudgementData extends UsageData {
  /** The judge. */
  readonly "gen_ai.request.model": string;
  readonly "conclave.judge"?: JudgeKind;
  /** Name of the rubric. */
  readonly "conclave.rubric"?: string;
  readonly "conclave.asked_by"?: JudgedFor;
  /** From the first request to the last word; waiting for the model to be free does not count. */
  readonly "conclave.duration_ms"?: number;
  /** Requests that were made for it. */
  readonly "conclave.attempts"?: number;
  /** Judge and writer are of this family, so that the judge may like its own. */
  readonly "conclave.same_family"?: string;
  /** The judge's own words where nothing could be read from them, cut. */
  readonly "conclave.raw"?: string;
}

/** A critic's grade, 1-5, or none. It stands under the turn, or under the agent whose answer was graded. */
export type CritiqueResult = Event<
  "critique.result",
  JudgementData & {
    /** The median of the samples that gave a grade. */
    readonly score: number | null;
    readonly feedback: string;
    /** Of each sample, in order; null where it gave none. Left out: one sample. */
    readonly "conclave.scores"?: readonly (number | null)[];
    /** Highest less lowest of the samples that gave a grade. */
    readonly "conclave.spread"?: number;
    /** Why there is no grade, in words such as "not graded (cut off)". */
    readonly "conclave.ungraded"?: string;
    /** A reference answer stood beside it. */
    readonly "conclave.reference"?: true;
    /** The judge could not be asked. */
    readonly error?: Failure;
  }
>;

/**
 * A person put another grade in the place of a critic's, or gave one where there was none. It stands under what was
 * graded, as the grade does; null takes the grade away. The latest one counts.
 */
export type CritiqueCorrected = Event<
  "critique.corrected",
  { readonly score: number | null; readonly reason: string; readonly "conclave.by": string }
>;

/** Who gave one of two answers. */
export interface RespondentInfo {
  readonly agent: string;
  readonly model: string;
  readonly temperature?: number;
}

/** What a judge said with the answers in one order. */
export interface PairwiseOrder {
  /** Whose answer stood first. */
  readonly first: "A" | "B";
  /** Whose answer was found better, mapped back from the place it stood at; null: a tie, or nothing could be read. */
  readonly winner: "A" | "B" | null;
  readonly feedback: string;
  /** The judge's own words where nothing could be read from them, cut. */
  readonly raw?: string;
}

/** A verdict between the answers of respondents A and B; null is a tie. */
export type PairwiseResult = Event<
  "pairwise.result",
  JudgementData & {
    readonly winner: "A" | "B" | null;
    readonly feedback: string;
    /** Both orders; one or none where the answers were the same, or the judge could not be asked. */
    readonly "conclave.orders"?: readonly PairwiseOrder[];
    /** The judge took the same place both times, so that it is a tie. */
    readonly "conclave.order_bound"?: true;
    readonly "conclave.a"?: RespondentInfo;
    readonly "conclave.b"?: RespondentInfo;
    /** The episodes of A's answer and of B's. */
    readonly "conclave.episode_ids"?: readonly string[];
    readonly error?: Failure;
  }
>;

/**
 * What respondent B answered to the question of a turn, from the same context, after A had. Its work stands under the
 * turn as an agent of the role `shadow`, all of it with the respondent `B`; this is its last event.
 */
export type ShadowAnswer = Event<
  "shadow.answer",
  UsageData & {
    readonly answer: string;
    readonly outcome: Outcome;
    readonly "gen_ai.request.model": string;
    readonly "gen_ai.request.temperature"?: number;
    readonly "conclave.asked_by"?: JudgedFor;
    readonly "conclave.duration_ms": number;
    /** The episode it is stored as. */
    readonly "conclave.episode_ids"?: readonly string[];
    readonly error?: Failure;
  }
>;

/**
 * The user took respondent B's latest answer: memory recalls it from then on. It stands under the turn, and counts for
 * the answers that were given before it: who has the question answered once more can take that one too.
 */
export type ShadowTaken = Event<
  "shadow.taken",
  {
    /** The episodes that are recalled. */
    readonly "conclave.episode_ids"?: readonly string[];
  }
>;

/** Everything that is said of an answer afterwards. */
export type JudgedEvent =
  | UserFeedback
  | RewardEvent
  | CritiqueResult
  | CritiqueCorrected
  | PairwiseResult
  | ShadowAnswer
  | ShadowTaken;

import type {
  ImplicitSign,
  JudgeKind,
  JudgedFor,
  PairwiseOrder,
  RespondentInfo,
  RewardSource,
} from "../agent/events-judged.ts";
import type { Outcome } from "../agent/events.ts";
import type { Failure } from "../agent/failure.ts";

/** How a judgement came about; logs of earlier versions say nothing of it. */
export interface Judging {
  /** The id of its event: what was cut from its texts is found there. */
  readonly eventId?: string;
  readonly judge?: JudgeKind;
  readonly rubric?: string;
  readonly askedBy?: JudgedFor;
  readonly durationMs?: number;
  /** Requests that were made for it. */
  readonly attempts?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Judge and writer are of this family. */
  readonly sameFamily?: string;
  /** The judge's own words where nothing could be read from them. */
  readonly raw?: string;
  readonly error?: Failure;
}

/** A critic's grade of an answer, 1-5 or none, as it counts. */
export interface Grade extends Judging {
  readonly score: number | null;
  /** The critic's words; empty where no critic graded. */
  readonly feedback: string;
  /** The judge; empty where no critic graded. */
  readonly model: string;
  /** When the critic gave it, milliseconds since the epoch; absent where no critic graded. */
  readonly time?: number;
  /** Of each sample, where there were several; null where one gave none. */
  readonly scores?: readonly (number | null)[];
  readonly spread?: number;
  /** Why there is no grade. */
  readonly ungraded?: string;
  /** A reference answer stood beside it. */
  readonly reference?: true;
  /** A person put `score` in the place of what the critic gave. */
  readonly corrected?: { readonly by: string; readonly reason: string; readonly time: number };
  /** What the critic gave, where that was corrected. */
  readonly given?: Omit<Grade, "corrected" | "given">;
}

/** What the user thinks of an answer. */
export interface Feedback {
  readonly rating: "up" | "down";
  readonly note?: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** What somebody did that tells, by a rule, what they think of an answer without having said so. */
export interface Sign {
  readonly sign: ImplicitSign;
  readonly rating: "up" | "down";
  /** Why the rule holds. */
  readonly evidence?: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** What feedback on an answer is worth to memory, when it was given. */
export interface Reward {
  /** Within [-1, 1]. */
  readonly value: number;
  /** In words. */
  readonly reason: string;
  /** Who gave the answer. */
  readonly agent: string;
  readonly model?: string;
  /** What it is made of. */
  readonly sources: readonly RewardSource[];
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** All that is said of one answer. */
export interface Judged {
  grade?: Grade;
  feedback?: Feedback;
  /** What was concluded from what people did, oldest first; left out: nothing. */
  signs?: readonly Sign[];
  reward?: Reward;
}

/** A verdict between two respondents' answers. */
export interface Pairwise extends Judging {
  /** The respondent whose answer was found better; null is a tie. */
  readonly winner: "A" | "B" | null;
  /** The judge's words. */
  readonly feedback: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly orders?: readonly PairwiseOrder[];
  /** The judge took the same place in both orders, so that it is a tie. */
  readonly orderBound?: true;
  readonly a?: RespondentInfo;
  readonly b?: RespondentInfo;
}

/** What a second respondent answered to the question. */
export interface Shadow {
  /** The id of its event: what was cut from the answer is found there. */
  readonly eventId: string;
  readonly answer: string;
  readonly outcome: Outcome;
  readonly agent: string;
  readonly model: string;
  readonly temperature?: number;
  readonly askedBy?: JudgedFor;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly durationMs: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly error?: Failure;
}

import type {
  ImplicitSign,
  JudgedFor,
  JudgeKind,
  PairwiseOrder,
  RespondentInfo,
} from "../../agent/events-judged.ts";

/*
 * What the log tells of the work of tools, of what critics and people think of answers, and of what memory gave and
 * took: one record each. Times are milliseconds since the epoch; texts are on one line, cut.
 */

/** What every record says: where it happened. */
interface RecordBase {
  /** Unique among the records of its session. */
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly time: number;
  /** The turn's question; a tombstone where it was forgotten, empty while it is not known. */
  readonly question: string;
  /** When the turn was forgotten. */
  readonly forgotten?: number;
  /** The turn lives in this window alone. */
  readonly private?: true;
}

/** How a call of a tool stands. */
export type CallOutcome = "done" | "failed" | "cancelled" | "running" | "interrupted";

/** A call of a tool. */
export interface CallRecord extends RecordBase {
  readonly kind: "call";
  readonly tool: string;
  /** The agent that called. */
  readonly agent: string;
  readonly arguments: string;
  readonly outcome: CallOutcome;
  /** The result's summary, or what went wrong. */
  readonly said: string;
  readonly durationMs?: number;
  /** How often it was tried. */
  readonly attempts: number;
}

/** How a judgement came about; earlier versions say nothing of it but the judge. */
export interface JudgingRecord {
  /** The judging model; empty where only a person graded. */
  readonly judge: string;
  readonly judgeKind?: JudgeKind;
  readonly rubric?: string;
  readonly askedBy?: JudgedFor;
  readonly durationMs?: number;
  readonly attempts?: number;
  /** Judge and writer are of this family. */
  readonly sameFamily?: string;
  /** Why there is no grade, or no verdict. */
  readonly ungraded?: string;
  /** The beginning of what the judge said, where nothing could be read from it. */
  readonly raw?: string;
}

/** A grade as it counts now. */
export interface GradeRecord extends RecordBase, JudgingRecord {
  readonly kind: "grade";
  /** Whose answer was graded; empty where it is the turn's. */
  readonly agent: string;
  /** The span of that agent; left out: it stands under the turn. */
  readonly agentId?: string;
  /** It is the answer of respondent B. */
  readonly other?: true;
  readonly score: number | null;
  readonly feedback: string;
  /** Of each sample, where there were several, and how far they lie apart. */
  readonly scores?: readonly (number | null)[];
  readonly spread?: number;
  readonly corrected?: {
    readonly by: string;
    readonly reason: string;
    /** When, milliseconds since the epoch. */
    readonly time: number;
    /** What the critic gave; left out where it gave none. */
    readonly given?: number | null;
  };
}

/** A verdict between two answers to one question. */
export interface VerdictRecord extends RecordBase, JudgingRecord {
  readonly kind: "verdict";
  readonly winner: "A" | "B" | null;
  readonly feedback: string;
  readonly a?: RespondentInfo;
  readonly b?: RespondentInfo;
  /** The judge took the same place both times. */
  readonly orderBound?: true;
  readonly orders?: readonly Pick<PairwiseOrder, "first" | "winner">[];
}

/** What memory gave to a turn and took from it. Counts are left out where nothing is known of them. */
export interface MemoryRecord extends RecordBase {
  readonly kind: "memory";
  readonly recalled?: number;
  readonly extracted?: number;
  readonly updated?: number;
  readonly rejected?: number;
  /** Who read the turn; empty where nobody did. */
  readonly by: string;
  /** Why nothing was kept or learnt; else what is new, in few words. */
  readonly said: string;
}

/** What the feedback on one answer is worth now. It is counted by agent, and no row of a list. */
export interface RewardRecord {
  /** Unique among those of its session. */
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly time: number;
  /** Who gave the answer: the turn's agent, a persona, a respondent's agent. */
  readonly agent: string;
  /** Empty where it is not known. */
  readonly model: string;
  readonly respondent: string;
  /** Within [-1, 1]. */
  readonly reward: number;
  readonly reason: string;
  /** Left out where nothing was said, only concluded. */
  readonly rating?: "up" | "down";
  /** What was concluded from what the user did. */
  readonly signs: readonly ImplicitSign[];
}

/** What feedback came to for one agent with one model. */
export interface AgentRewards {
  readonly agent: string;
  /** Empty where it is not known. */
  readonly model: string;
  /** `A`, or `B` for a second respondent. */
  readonly respondent: string;
  /** Answers that have a reward. */
  readonly answers: number;
  /** Of them: thumbs up, thumbs down, and those of which nothing was said, only concluded. */
  readonly up: number;
  readonly down: number;
  readonly implicit: number;
  /** The sum of the rewards, and what one answer has in the mean, within [-1, 1]. */
  readonly reward: number;
  readonly mean: number;
  /** When the latest was given. */
  readonly last: number;
}

/** Any record. */
export type ActivityRecord = CallRecord | GradeRecord | VerdictRecord | MemoryRecord;

/** One day of calls. */
export interface DayCalls {
  /** The day's first moment. */
  readonly from: number;
  readonly calls: number;
  readonly failures: number;
}

/** The calls of a tool in figures. */
export interface CallFigures {
  readonly kind: "calls";
  readonly calls: number;
  readonly failures: number;
  /** Of the calls that ended; null where none did. */
  readonly medianMs: number | null;
  /** The latest days, the last one today. */
  readonly days: readonly DayCalls[];
}

/** One day of grades. */
export interface DayGrades {
  readonly from: number;
  readonly grades: number;
  /** Answers that a critic looked at and gave no grade. */
  readonly ungraded: number;
  /** Of those that were graded. */
  readonly mean: number | null;
}

/** Grades and verdicts in figures. */
export interface GradeFigures {
  readonly kind: "grades";
  /** How many have the grade 1, 2, 3, 4, 5. */
  readonly counts: readonly [number, number, number, number, number];
  /** Answers that a critic looked at and gave no grade. */
  readonly ungraded: number;
  readonly corrected: number;
  readonly mean: number | null;
  /** Of the last seven days, and of the seven before. */
  readonly lastWeek: number | null;
  readonly weekBefore: number | null;
  readonly verdicts: { readonly a: number; readonly b: number; readonly ties: number };
  readonly days: readonly DayGrades[];
  /** The latest grades of turns, oldest first; null where none was given. */
  readonly latest: readonly (number | null)[];
  /** What feedback came to by agent, the one with the most judged answers first; left out where none was given. */
  readonly rewards?: readonly AgentRewards[];
}

/** What memory gave and took in figures. */
export interface MemoryFigures {
  readonly kind: "memory";
  readonly turns: number;
  readonly recalled: number;
  readonly extracted: number;
  readonly updated: number;
  readonly rejected: number;
}

/** Figures of what is shown. */
export type ActivityFigures = CallFigures | GradeFigures | MemoryFigures;

/** How a tool stands: `named` ones are offered only to agents whose file names them, `gone` ones were only called. */
export type ToolState = "on" | "off" | "named" | "gone";

/** A tool that there is. */
export interface ToolInfo {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly state: Exclude<ToolState, "gone">;
  /** Why it is off, in a sentence. */
  readonly reason?: string;
}

/** A tool in the list of all. */
export interface ToolLine {
  readonly name: string;
  /** What it does, in a line; empty where nobody knows any more. */
  readonly description: string;
  readonly state: ToolState;
  readonly reason?: string;
  /** Calls of the latest days, today included, and how many of them failed. */
  readonly calls: number;
  readonly failures: number;
  /** The latest call, also an earlier one; left out where there is none. */
  readonly last?: number;
}

import type { Outcome } from "../agent/event-base.ts";
import type { Position, Verdict } from "../agent/events-committee.ts";
import type { SandboxCounters } from "../agent/events-sandbox.ts";
import type {
  AgentRole,
  AgentState,
  EventOf,
  Reference,
  ToolProtocol,
  WarningCode,
} from "../agent/events.ts";
import type { Failure } from "../agent/failure.ts";
import type { Json, JsonObject, ToolCall } from "../agent/models/types.ts";
import type { ToolDetails } from "../agent/tool.ts";
import type { Judged } from "./judgements.ts";

/** How a cell stands. `interrupted`: the log ends before the cell does, and nobody is working on it. */
export type CellStatus = "running" | "done" | "failed" | "cancelled" | "interrupted";

/** What every node of a turn's tree has. Times are milliseconds since the epoch. */
export interface CellBase {
  /** The id of its event; thinking and text of a model call are `<id>/thinking` and `<id>/text`. */
  readonly id: string;
  /** The node it stands under; null for what stands directly under the turn. */
  readonly parentId: string | null;
  readonly agent: string;
  readonly respondent: string;
  start: number;
  /** Absent while it runs. */
  end?: number;
  status: CellStatus;
  /** Counts the changes, so that a view knows when to draw again. */
  revision: number;
  readonly children: string[];
  /** In a fork: the event of the turn it branches off that this repeats. */
  readonly replays?: string;
}

/** An agent at work on the turn, and what is said of its own answer. */
export interface AgentCell extends CellBase, Judged {
  readonly kind: "agent";
  readonly model: string;
  /** Absent where it answers the turn alone. */
  readonly role?: AgentRole;
  readonly host?: string;
  readonly sample?: number;
  state: AgentState;
  /** What it came to; empty until it has ended. */
  answer: string;
  inputTokens: number;
  outputTokens: number;
  toolCalls: number;
  /** How the context of its latest model call was shared out. */
  budget?: EventOf<"context.budget">["data"];
  error?: Failure;
}

/** A committee at work; what it came to is there once it has ended. */
export interface CommitteeCell extends CellBase {
  readonly kind: "committee";
  readonly strategy: string;
  /** Rounds that it may have at most. */
  readonly rounds: number;
  readonly personas: readonly { readonly name: string; readonly model: string }[];
  readonly synthesizer: string;
  readonly estimatedTokens: number;
  roundsHad?: number;
  stopped?: string;
  outcome?: Outcome;
  verdict?: Verdict;
  shownAs?: readonly { readonly letter: string; readonly agent: string }[];
  ranking?: EventOf<"committee.ranking">["data"];
  inputTokens?: number;
  outputTokens?: number;
}

/** Where a member stands after a round; its words are those of its agent's cell. */
export type StandingOf = Omit<Position, "answer">;

/** A round of a committee: the members' agents stand under it. */
export interface RoundCell extends CellBase {
  readonly kind: "round";
  readonly index: number;
  readonly of: number;
  standings: readonly StandingOf[];
  agreed?: boolean;
  agreement?: string;
}

/** Personas that talk to each other: their rounds stand under it, and what they said under their agents. */
export interface SandboxCell extends CellBase {
  readonly kind: "sandbox";
  readonly scenario: string;
  /** Rounds that it may have at most. */
  readonly rounds: number;
  readonly personas: readonly { readonly name: string; readonly model: string }[];
  /** The figures of each message, in order. */
  lines: readonly SandboxLineOf[];
  stopped?: string;
  /** The figures of each round, once it has ended. */
  counters?: readonly SandboxCounters[];
  /** The persona that failed. */
  failed?: string;
}

/** The figures of one message of a talk. */
export interface SandboxLineOf {
  /** Of its event. */
  readonly id: string;
  readonly round: number;
  readonly speaker: string;
  readonly counters: SandboxCounters;
}

/** The object that a structured agent gave. */
export interface OutputCell extends CellBase {
  readonly kind: "output";
  readonly schema: JsonObject;
  readonly value?: Json;
  readonly repaired: boolean;
  readonly error?: Failure;
}

/** Something was taken out of what is sent, so that it fits. */
export interface CompactionCell extends CellBase {
  readonly kind: "compaction";
  readonly how: EventOf<"context.compacted">["data"]["how"];
  readonly before: number;
  readonly after: number;
  readonly turns: readonly string[];
  readonly summary?: string;
  readonly model?: string;
  readonly error?: Failure;
  /** It was taken back: what it replaced is sent again. */
  restored?: true;
}

/** One model call and the tool calls it asked for. */
export interface StepCell extends CellBase {
  readonly kind: "step";
  readonly index: number;
  readonly protocol: ToolProtocol;
}

/** What was asked. */
export interface QuestionCell extends CellBase {
  readonly kind: "question";
  readonly text: string;
  readonly references: readonly Reference[];
}

/** One request to a model, and what it cost. Durations in milliseconds; what was not reported is absent. */
export interface ModelCell extends CellBase {
  readonly kind: "model";
  model: string;
  readonly provider: string;
  readonly contextLength: number;
  /** 1 for the turn's first step; 0 when it belongs to none. */
  readonly step: number;
  readonly protocol: ToolProtocol | undefined;
  /** How many messages it was given. */
  readonly messageCount: number;
  inputTokens?: number;
  outputTokens?: number;
  firstChunkMs?: number;
  loadMs?: number;
  promptMs?: number;
  generationMs?: number;
  durationMs?: number;
  finishReasons: readonly string[];
  calls: readonly ToolCall[];
  recoveredFrom?: "text" | "thinking";
  error?: Failure;
}

/** What a model thought, apart from what it said. */
export interface ThinkingCell extends CellBase {
  readonly kind: "thinking";
  text: string;
}

/**
 * What a model said: the answer, or a remark (text beside tool calls, or an attempt that another step replaced).
 */
export interface TextCell extends CellBase {
  kind: "answer" | "remark";
  text: string;
}

/** A tool's call, with what the model was given for it and what people are shown. */
export interface ToolCell extends CellBase {
  readonly kind: "tool";
  readonly name: string;
  readonly arguments: Json;
  readonly mended: readonly string[];
  readonly recoveredFrom?: "text" | "thinking";
  /** It was called with an agent's structured output. */
  readonly chained?: true;
  result?: string;
  details?: ToolDetails;
  error?: Failure;
  attempts: number;
  durationMs?: number;
}

/** A question of one word to the model, which decided how the turn went on. */
export interface CheckCell extends CellBase {
  readonly kind: "check";
  readonly check: EventOf<"model.check">["data"];
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly durationMs: number;
}

/** Something to know that did not stop the turn. */
export interface WarningCell extends CellBase {
  readonly kind: "warning";
  readonly code: WarningCode;
  readonly message: string;
  readonly detail?: JsonObject;
}

/** What ended the turn without an answer. */
export interface ErrorCell extends CellBase {
  readonly kind: "error";
  readonly failure: Failure;
}

/** A node of a turn's tree. */
export type Cell =
  | AgentCell
  | CommitteeCell
  | RoundCell
  | SandboxCell
  | OutputCell
  | CompactionCell
  | StepCell
  | QuestionCell
  | ModelCell
  | ThinkingCell
  | TextCell
  | ToolCell
  | CheckCell
  | WarningCell
  | ErrorCell;

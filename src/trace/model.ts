import type { TurnFork } from "../agent/events-fork.ts";
import type { EventOf, ToolProtocol } from "../agent/events.ts";
import type { Failure } from "../agent/failure.ts";
import type { Source } from "../agent/tool.ts";
import type { AgentCell, Cell, CommitteeCell, TextCell } from "./cells.ts";
import type { Judged, Pairwise, Shadow } from "./judgements.ts";
import type { TurnStatus } from "./summary.ts";

/** Whether the turn was remembered. */
export interface Remembered {
  readonly episodeIds: readonly string[];
  /** How many memories the models of the turn were given. */
  readonly retrieved?: number;
  readonly error?: Failure;
}

/** What memory learnt from the turn. */
export type LearnedOfTurn = EventOf<"memory.learned">["data"];

/** The context card that stood before the question. */
export type CardOfTurn = EventOf<"memory.card">["data"];

/**
 * A turn as every view reads it: a tree of cells and the turn's own figures. `foldEvent` changes it in place, so that
 * an event costs the same however long the turn is; `revision` says that something changed.
 */
export interface TurnModel extends Judged {
  readonly sessionId: string;
  readonly turnId: string;
  parentTurnId: string | null;
  /** What it branches off, where it is a fork. */
  fork?: TurnFork;
  /** The file it was taken from, and when (milliseconds since the epoch). */
  imported?: { readonly from: string; readonly at: number };
  door: string;
  agent: string;
  status: TurnStatus;
  start: number;
  end?: number;
  durationMs?: number;
  question: string;
  answer: string;
  sources: readonly Source[];
  steps: number;
  inputTokens: number;
  outputTokens: number;
  /** Of the latest model call: what it was given, out of the context it had. */
  context?: { readonly used?: number; readonly length: number; readonly model: string };
  /** How the context of the latest model call was shared out. */
  budget?: EventOf<"context.budget">["data"];
  protocol?: ToolProtocol;
  /** Who searches memory for the question, and why, in words. */
  recall?: string;
  /** Names of the tools that were offered. */
  tools: readonly string[];
  error?: Failure;
  /** Which of two respondents' answers a judge found better. */
  pairwise?: Pairwise;
  /** What respondent B answered. */
  shadow?: Shadow;
  /** When the user last took the second answer, milliseconds since the epoch; `isTaken` says whether it is this one. */
  takenAt?: number;
  /**
   * The work of respondent B and what is said of its answer, as a turn of its own: its cells, tools, steps and tokens are
   * in none of this turn's. The latest run is the last of its roots.
   */
  other?: TurnModel;
  remembered?: Remembered;
  learned?: LearnedOfTurn;
  card?: CardOfTurn;
  /** When its text was forgotten, milliseconds since the epoch: what its cells say is a tombstone. */
  forgotten?: number;
  /** Every cell by its id. */
  readonly cells: Map<string, Cell>;
  /** Ids of the cells directly under the turn, in order. */
  readonly roots: string[];
  revision: number;
}

/** A conversation: its turns in the order in which they began. */
export interface SessionModel {
  readonly sessionId: string;
  readonly turns: Map<string, TurnModel>;
}

/** A turn of which nothing is known yet. */
export function emptyTurn(sessionId: string, turnId: string, start: number): TurnModel {
  return {
    sessionId,
    turnId,
    parentTurnId: null,
    door: "",
    agent: "",
    status: "running",
    start,
    question: "",
    answer: "",
    sources: [],
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    tools: [],
    cells: new Map(),
    roots: [],
    revision: 0,
  };
}

/** The cells of a turn in reading order, the tree's nodes before what stands under them. */
export function cellsInOrder(turn: TurnModel): readonly Cell[] {
  const cells: Cell[] = [];
  const visit = (ids: readonly string[]): void => {
    for (const id of ids) {
      const cell = turn.cells.get(id);
      if (cell === undefined) continue;
      cells.push(cell);
      visit(cell.children);
    }
  };
  visit(turn.roots);
  return cells;
}

/** The answer as it stands: the last text that is no remark. */
export function answerCell(turn: TurnModel): TextCell | undefined {
  return cellsInOrder(turn).findLast((cell): cell is TextCell => cell.kind === "answer");
}

/** What an agent is called: samples of one agent by their numbers. */
export function agentName({ agent, sample }: Pick<AgentCell, "agent" | "sample">): string {
  return sample === undefined ? agent : `${agent} #${sample}`;
}

/** The agent that a cell is of: the nearest one above it. */
export function agentAbove(turn: TurnModel, cell: Cell): AgentCell | undefined {
  let above: Cell | undefined = cell;
  while (above !== undefined && above.kind !== "agent")
    above = above.parentId === null ? undefined : turn.cells.get(above.parentId);
  return above;
}

/** The committee that answers a turn; undefined where one agent does. */
export function committeeOf(turn: TurnModel): CommitteeCell | undefined {
  for (const id of turn.roots) {
    const cell = turn.cells.get(id);
    if (cell?.kind === "committee") return cell;
  }
  return undefined;
}

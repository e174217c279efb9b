import { diffArrays } from "diff";
import type { Cell } from "../cells.ts";
import { agentAbove, agentName, answerCell, cellsInOrder, type TurnModel } from "../model.ts";
import { checkWords } from "../check-words.ts";

/** Changes beyond which two turns are set side by side as they are: finding the fewest takes the square of them. */
const MAX_EDITS = 1_000;

/** Two cells that stand for each other, or one that the other turn has no counterpart to. */
export interface ComparedStep {
  readonly left?: Cell;
  readonly right?: Cell;
  /** Whose step it is, where more than one agent is at work on a turn; else empty. */
  readonly who: string;
}

/** Kinds of cells that say something; the others only hold them together. */
const SAYING: ReadonlySet<Cell["kind"]> = new Set([
  ...(["thinking", "model", "tool", "remark", "answer", "output"] as const),
  ...(["compaction", "check", "warning", "error"] as const),
]);

/** Whose work a cell is. Who answers may be called otherwise in the other turn, and its work is the same work: empty. */
function whoseWork(turn: TurnModel, cell: Cell): string {
  const agent = agentAbove(turn, cell);
  return agent?.role === undefined ? "" : agentName(agent);
}

/** Whose step it is, in words: in which round a member of a committee took it is said too. */
function whoWords(turn: TurnModel, cell: Cell): string {
  const above = agentAbove(turn, cell)?.parentId ?? null;
  const round = above === null ? undefined : turn.cells.get(above);
  const who = whoseWork(turn, cell);
  return who !== "" && round?.kind === "round" && round.of > 1 ? `${who}, round ${round.index}` : who;
}

/** What two cells must have in common to stand for each other. */
function signature(turn: TurnModel, cell: Cell): string {
  const who = whoseWork(turn, cell);
  return `${cell.kind} ${who} ${whatOf(cell)}`;
}

function whatOf(cell: Cell): string {
  if (cell.kind === "tool") return cell.name;
  if (cell.kind === "check") return cell.check.question;
  return cell.kind === "warning" ? cell.code : "";
}

/**
 * The steps of two turns side by side, in the order of both: model calls, thinking, tool calls and texts that stand for
 * each other by kind, agent and tool are one row; what only one turn has is a row of its own. The turn's answer is no
 * step of it.
 */
export function alignTurns(left: TurnModel, right: TurnModel): readonly ComparedStep[] {
  const lefts = stepsOf(left);
  const rights = stepsOf(right);
  const changes = diffArrays(
    lefts.map((cell) => signature(left, cell)),
    rights.map((cell) => signature(right, cell)),
    { maxEditLength: MAX_EDITS },
  );
  const beside = (one: Cell | undefined, other: Cell | undefined): ComparedStep => ({
    ...(one && { left: one }),
    ...(other && { right: other }),
    who: one === undefined ? (other === undefined ? "" : whoWords(right, other)) : whoWords(left, one),
  });
  if (changes === undefined) return inParallel(lefts, rights, beside);
  const steps: ComparedStep[] = [];
  let atLeft = 0;
  let atRight = 0;
  for (const { added, removed, value } of changes) {
    for (let step = 0; step < value.length; step += 1) {
      const one = added ? undefined : lefts[atLeft++];
      const other = removed ? undefined : rights[atRight++];
      steps.push(beside(one, other));
    }
  }
  return steps;
}

function stepsOf(turn: TurnModel): readonly Cell[] {
  const answer = answerCell(turn);
  return cellsInOrder(turn).filter((cell) => SAYING.has(cell.kind) && cell !== answer);
}

/** Turns that have next to nothing in common: the first beside the first, and so on. */
function inParallel(
  lefts: readonly Cell[],
  rights: readonly Cell[],
  beside: (left: Cell | undefined, right: Cell | undefined) => ComparedStep,
): readonly ComparedStep[] {
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, at) =>
    beside(lefts[at], rights[at]),
  );
}

/** What a cell says, as the texts that a comparison sets side by side; by name, in reading order. */
export function textsOf(cell: Cell): readonly (readonly [name: string, text: string])[] {
  switch (cell.kind) {
    case "thinking":
    case "remark":
    case "answer":
      return [["text", cell.text]];
    case "tool":
      return [
        ["arguments", JSON.stringify(cell.arguments, null, 2)],
        ["result", cell.error?.message ?? cell.result ?? ""],
      ];
    case "output":
      return [["output", JSON.stringify(cell.value ?? null, null, 2)]];
    case "compaction":
      return [["summary", cell.summary ?? ""]];
    case "check":
      return [["check", checkWords(cell)]];
    case "warning":
      return [["warning", cell.message]];
    case "error":
      return [["error", cell.failure.message]];
    case "model":
      return [["model", cell.model]];
    default:
      return [];
  }
}

/** Whether two cells say the same. */
export function saysTheSame(left: Cell, right: Cell): boolean {
  return JSON.stringify(textsOf(left)) === JSON.stringify(textsOf(right));
}

import type { AgentRole } from "../agent/events.ts";
import { isAnswering } from "../trace/fold-model.ts";
import type { AgentCell, Cell, CellBase, CommitteeCell, ToolCell } from "../trace/cells.ts";
import type { TurnModel } from "../trace/model.ts";
import { OTHER } from "../trace/respondent.ts";
import { afterCells, otherKey, type AfterCell } from "./cells/after.tsx";
import { cardCell, type CardCell } from "./cells/card.tsx";

/** What stands beside a committee's synthesis, as a cell of the notebook after it. */
export interface VerdictCell extends CellBase {
  readonly kind: "verdict";
  readonly committee: CommitteeCell;
}

/** How a turn came to its end without one of its own: it was stopped, or nobody works on it any more. */
export interface EndedCell extends CellBase {
  readonly kind: "ended";
  /** Whether something of an answer stands above. */
  readonly answered: boolean;
}

/** What is drawn as a cell of the notebook. */
export type ShownCell = Cell | CardCell | VerdictCell | EndedCell | AfterCell;

/** The key under which it is kept whether the steps of a member are open. */
export function memberKey(agentId: string): string {
  return `${agentId}/steps`;
}

/** The agent that was asked by a call, and whose work stands under it; undefined where none was. */
export function askedBy(turn: TurnModel, cell: ToolCell): AgentCell | undefined {
  return cell.children
    .map((id) => turn.cells.get(id))
    .find((child): child is AgentCell => child?.kind === "agent");
}

/** Whether what stands under a cell is drawn before the user says otherwise. */
export function opensBelow(cell: Cell | undefined): boolean {
  return cell?.kind === "round" || (cell?.kind === "tool" && cell.children.length > 0);
}

/** How deep a cell stands in the turn's tree, as far as that is drawn: in a member's steps, B's, or a delegate's. */
export function depthOf(turn: TurnModel, { respondent, parentId }: ShownCell): number {
  let depth = respondent === OTHER ? 1 : 0;
  let below: Cell | undefined;
  let above = parentId === null ? undefined : turn.cells.get(parentId);
  while (above !== undefined) {
    if (below?.kind === "agent" && (above.kind === "tool" || above.kind === "round")) depth += 1;
    below = above;
    above = above.parentId === null ? undefined : turn.cells.get(above.parentId);
  }
  return depth;
}

/**
 * The cells that are drawn, in reading order. Agents, steps and committees only hold others together; the members of a
 * round stand side by side in it, and the steps of one stand below it when they are opened. What an agent did that was
 * asked on the way stands under the call that asked it, and is folded with it.
 *
 * @param isOpen whether something that folds is open; the key is that of `memberKey` or a cell's id
 */
export function shownCells(turn: TurnModel, isOpen: (key: string) => boolean): readonly ShownCell[] {
  const cells: ShownCell[] = [...treeCells(turn, isOpen)];
  if (turn.status === "cancelled" || turn.status === "interrupted") cells.push(endedCell(turn, cells));
  for (const cell of afterCells(turn)) {
    cells.push(cell);
    if (cell.kind === "pairwise" && isOpen(otherKey(turn.turnId))) cells.push(...otherCells(turn, isOpen));
  }
  const card = cardCell(turn);
  if (card === undefined) return cells;
  const after = cells.findIndex((cell) => cell.kind === "question") + 1;
  return [...cells.slice(0, after), card, ...cells.slice(after)];
}

/** The turn whose cell it is: respondent B's work is a turn of its own. */
export function turnOf(turn: TurnModel, cell: Pick<ShownCell, "respondent">): TurnModel {
  return cell.respondent === OTHER ? (turn.other ?? turn) : turn;
}

/** The steps of respondent B. What it said stands beside the turn's answer, and is a remark among them. */
function otherCells(turn: TurnModel, isOpen: (key: string) => boolean): readonly ShownCell[] {
  if (turn.other === undefined) return [];
  return treeCells(turn.other, isOpen).map((cell) =>
    cell.kind === "answer" ? { ...cell, kind: "remark" } : cell,
  );
}

/** The cells of a turn's tree. */
function treeCells(turn: TurnModel, isOpen: (key: string) => boolean): readonly ShownCell[] {
  const cells: ShownCell[] = [];
  const visit = (ids: readonly string[]): void => {
    for (const id of ids) {
      const cell = turn.cells.get(id);
      if (cell !== undefined) show(cell);
    }
  };
  const show = (cell: Cell): void => {
    if (cell.kind === "committee") {
      visit(cell.children);
      if (cell.verdict !== undefined) cells.push(verdictCell(cell));
    } else if (cell.kind === "round") {
      cells.push(cell);
      if (isOpen(cell.id)) visit(cell.children.filter((id) => isOpen(memberKey(id))));
    } else {
      const aside = cell.kind === "answer" ? roleOf(turn, cell) : undefined;
      // What a member of a round said stands in its box; what a delegate said is a remark on the way.
      if (aside === "persona") return;
      if (cell.kind === "answer" && aside !== undefined) cells.push({ ...cell, kind: "remark" });
      else if (cell.kind !== "agent" && cell.kind !== "step") cells.push(cell);
      if (cell.kind !== "tool" || isOpen(cell.id)) visit(cell.children);
    }
  };
  visit(turn.roots);
  return cells;
}

/** The keys of all that must be open for a cell to be drawn. */
export function wayTo(turn: TurnModel, cellId: string): readonly string[] {
  const keys: string[] = [];
  let cell = turn.cells.get(cellId);
  while (cell !== undefined) {
    const above: Cell | undefined = cell.parentId === null ? undefined : turn.cells.get(cell.parentId);
    if (cell.kind === "agent" && above?.kind === "round") keys.push(memberKey(cell.id), above.id);
    if (cell.kind === "agent" && above?.kind === "tool") keys.push(above.id);
    cell = above;
  }
  return keys;
}

/** The role of who said something, where that is not who answers the turn. */
function roleOf(turn: TurnModel, cell: Cell): AgentRole | undefined {
  let id = cell.parentId;
  while (id !== null) {
    const above = turn.cells.get(id);
    if (above?.kind === "agent") return isAnswering(above) ? undefined : above.role;
    id = above?.parentId ?? null;
  }
  return undefined;
}

function endedCell(turn: TurnModel, above: readonly ShownCell[]): EndedCell {
  const end = turn.end ?? turn.start;
  return {
    kind: "ended",
    answered: above.some(({ kind }) => kind === "answer"),
    id: `${turn.turnId}/ended`,
    parentId: null,
    ...{ agent: turn.agent, respondent: "A", start: end, end, revision: 0, children: [] },
    status: turn.status === "cancelled" ? "cancelled" : "interrupted",
  };
}

function verdictCell(committee: CommitteeCell): VerdictCell {
  const { agent, respondent, start, end, status, revision } = committee;
  return {
    kind: "verdict",
    committee,
    id: `${committee.id}/verdict`,
    parentId: null,
    ...{ agent, respondent, start, status, revision },
    ...(end === undefined ? {} : { end }),
    children: [],
  };
}

import type { EventBase } from "../agent/events.ts";
import type { AgentCell, Cell, CellBase, CellStatus } from "./cells.ts";
import type { TurnModel } from "./model.ts";

/** What a new cell says of itself; the rest comes from its event. */
type NewCell<C> = C extends Cell
  ? Omit<C, keyof CellBase> & { readonly status?: CellStatus; readonly end?: number; readonly start?: number }
  : never;

/** Where a cell stands: under its parent, else its step, else directly under the turn. */
function parentOf(turn: TurnModel, event: EventBase): string | null {
  if (event.parentId !== null && turn.cells.has(event.parentId)) return event.parentId;
  if (event.stepId !== undefined && event.stepId !== event.id && turn.cells.has(event.stepId))
    return event.stepId;
  return null;
}

/** Adds a cell under its parent, last. An id that is already there keeps its cell: a repeated event adds nothing. */
export function addCell(turn: TurnModel, event: EventBase, cell: NewCell<Cell>): void {
  if (turn.cells.has(event.id)) return;
  const parentId = parentOf(turn, event);
  const base = {
    id: event.id,
    parentId,
    agent: event.agent,
    respondent: event.respondent,
    start: event.time,
    status: "running" as const,
    revision: 0,
    children: [],
    ...(event.replays === undefined ? {} : { replays: event.replays }),
  };
  turn.cells.set(event.id, { ...base, ...cell });
  const siblings = parentId === null ? turn.roots : turn.cells.get(parentId)?.children;
  siblings?.push(event.id);
}

/** Ends a cell, once. */
export function endCell(cell: Cell, time: number, status: CellStatus): void {
  if (cell.end !== undefined && cell.status !== "running") return;
  cell.end = time;
  cell.status = status;
  cell.revision += 1;
}

/** Changes a cell, if it is there. */
export function touch(turn: TurnModel, id: string, change: (cell: Cell) => void): void {
  const cell = turn.cells.get(id);
  if (cell === undefined) return;
  change(cell);
  cell.revision += 1;
}

/** Ends whatever still runs. */
export function closeOpenCells(turn: TurnModel, time: number, status: CellStatus): void {
  for (const cell of turn.cells.values()) {
    if (cell.status === "running") endCell(cell, time, status);
  }
}

/** The agent whose event it is: the nearest one above it; undefined where it belongs to none. */
export function agentOf(turn: TurnModel, event: EventBase): AgentCell | undefined {
  let id = event.stepId ?? event.parentId;
  while (id !== null) {
    const cell = turn.cells.get(id);
    if (cell === undefined || cell.kind === "agent") return cell;
    id = cell.parentId;
  }
  return undefined;
}

import type { Cell } from "../../../../src/trace/cells.ts";
import { cellsInOrder, type TurnModel } from "../../../../src/trace/model.ts";

/** Replaces ids by their order of appearance, so that a golden text stays the same when ids are made otherwise. */
class StableIds {
  private readonly names = new Map<string, string>();

  of(id: string | null): string | null {
    if (id === null) return null;
    const [base = "", ...rest] = id.split("/");
    let name = this.names.get(base);
    if (name === undefined) {
      name = `#${this.names.size + 1}`;
      this.names.set(base, name);
    }
    return [name, ...rest].join("/");
  }
}

function without(value: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function cellOf(cell: Cell, ids: StableIds, start: number): unknown {
  const { id, parentId, start: began, end } = cell;
  return {
    id: ids.of(id),
    under: ids.of(parentId),
    from: began - start,
    to: end === undefined ? null : end - start,
    ...without(cell, ["id", "parentId", "start", "end", "children", "revision"]),
  };
}

/** A turn's read model as text: ids stable, times from the turn's start, without counters of changes. */
export function snapshot(turn: TurnModel): string {
  const ids = new StableIds();
  const { sessionId, turnId, parentTurnId, start, end } = turn;
  const known = ["sessionId", "turnId", "parentTurnId", "start", "end", "cells", "roots", "revision"];
  const rest = without(turn, known);
  const named = { session: ids.of(sessionId), turn: ids.of(turnId), after: ids.of(parentTurnId) };
  const cells = cellsInOrder(turn).map((cell) => cellOf(cell, ids, start));
  return `${JSON.stringify({ ...named, to: end === undefined ? null : end - start, ...rest, cells }, null, 2)}\n`;
}

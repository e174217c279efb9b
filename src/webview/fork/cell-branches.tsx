import type { VNode } from "preact";
import type { TurnModel } from "../../trace/model.ts";
import type { ShownCell } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import { BranchActions } from "./actions.tsx";
import { BranchEditor } from "./editor.tsx";
import { BranchNotes } from "./notes.tsx";
import { mayBranch, placeOf } from "./targets.ts";

/** All that a cell shows of branches: the ways to run on from it, the editor under it, what was changed, what leaves it. */
export function CellBranches(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: ShownCell;
  /** Whether its buttons can be reached with the Tab key: one cell of the turn at a time. */
  readonly active: boolean;
  /** Whether it goes by too fast for its buttons to be seen: they are drawn with the frame after. */
  readonly bare: boolean;
}): VNode {
  const { store, turn, cell, active, bare } = props;
  return (
    <>
      {bare ? null : <BranchActions store={store} turn={turn} place={placeOf(turn, cell)} active={active} />}
      <BranchEditor key={cell.id} store={store} id={cell.id} />
      <BranchNotes store={store} turn={turn} cell={cell} />
    </>
  );
}

/** The keys at a cell's head line: E changes it and runs on from there, R runs again from there. */
export function branchKeys(
  store: Store,
  cell: ShownCell | undefined,
): { readonly [key: string]: () => void } {
  const { turn } = store;
  const place = turn === undefined || cell === undefined ? undefined : placeOf(turn, cell);
  if (turn === undefined || place === undefined || store.readOnly || !mayBranch(turn)) return {};
  return { e: () => store.fork.edit(turn, place), r: () => store.fork.again(turn, place) };
}

import type { VNode } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TurnModel } from "../trace/model.ts";
import { CellView } from "./cell-view.tsx";
import { opensByItself } from "./cells/cell.tsx";
import { useFollow } from "./follow.ts";
import { branchKeys, CellBranches } from "./fork/cell-branches.tsx";
import { criticKeys } from "./judge/ask-critic.tsx";
import { wholeTurn } from "./fork/targets.ts";
import { useClock } from "./hooks.ts";
import { memo } from "./memo.tsx";
import { depthOf, opensBelow, shownCells, turnOf, type ShownCell } from "./shown-cells.ts";
import { useMeasured, useSlots } from "./slots.ts";
import type { Store } from "./store.ts";
import { useVirtual, type VirtualRows } from "./virtual.ts";

const HEAD_HEIGHT = 28;
const OPEN_HEIGHT = 90;
/** Deeper cells are not moved in any further: their words need the room. */
const MAX_DEPTH = 4;

/** The cells that are drawn, made anew only when the turn or what is folded changed: not with each frame. */
function useCells(store: Store, turn: TurnModel): readonly ShownCell[] {
  return useMemo(
    () =>
      shownCells(turn, (key) =>
        store.isOpen(key, opensBelow(turn.cells.get(key) ?? turn.other?.cells.get(key))),
      ),
    [store, turn, turn.revision, store.folds.revision],
  );
}

/** The cell that one is at: for drawing, and at once for keys that follow each other faster than frames. */
function usePlace() {
  const [active, setActive] = useState(0);
  const latest = useRef(0);
  const set = useCallback((index: number) => {
    latest.current = index;
    setActive(index);
  }, []);
  return { active, now: () => latest.current, set };
}

/** The chosen turn as a notebook. Its keys stand in `keys.ts`. */
export function TurnView({ store, turn }: { readonly store: Store; readonly turn: TurnModel }): VNode {
  const scroll = useRef<HTMLDivElement>(null);
  const place = usePlace();
  const { active } = place;
  const now = useClock(store, store.running);
  const cells = useCells(store, turn);
  const { virtual, leaping } = useVirtual({
    rows: cells,
    count: cells.length,
    scroll,
    estimate: (index) => estimateOf(store, cells[index]),
    keyOf: (index) => cells[index]?.id ?? String(index),
    keep: active,
    paddingEnd: 12,
  });
  const drawn = virtual.getVirtualItems();
  const slots = useSlots(drawn.map(({ key }) => String(key)));
  const inner = useRef<HTMLDivElement>(null);
  useMeasured(virtual, inner);
  const onScroll = useFollow({ store, turn, scroll, virtual });
  const move = (to: number) => {
    const index = Math.max(0, Math.min(cells.length - 1, to));
    place.set(index);
    virtual.scrollToIndex(index, { align: "auto" });
    requestAnimationFrame(() => {
      // Who has gone further meanwhile is not called back.
      if (place.now() !== index) return;
      const cell = scroll.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
      // Nor is who already writes there.
      if (cell?.contains(document.activeElement) === true) return;
      cell?.querySelector<HTMLElement>("[data-head]")?.focus({ preventScroll: true });
    });
  };
  useWanted(store, cells, move);
  const onKeyDown = (event: KeyboardEvent) => onKey(event, { store, turn, cells, active: place.now(), move });
  return (
    <div class="cells" {...{ ref: scroll, onScroll }} onKeyDown={onKeyDown}>
      <div
        class="cells-inner"
        ref={inner}
        role="list"
        aria-label="Steps of the turn"
        style={{ height: `${virtual.getTotalSize()}px` }}
      >
        {drawn.map(({ index, start }, at) => (
          <MemoRow
            key={slots[at]}
            {...{ store, turn, index, start, leaping, virtual }}
            revision={store.revision}
            clock={store.running ? now : 0}
            cell={cells[index]}
            count={cells.length}
            active={index === active}
            onFocus={place.set}
          />
        ))}
      </div>
    </div>
  );
}

interface CellRowProps {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: ShownCell | undefined;
  /** Moves on when something was changed in the store. */
  readonly revision: number;
  /** Moves on while the turn runs. */
  readonly clock: number;
  readonly index: number;
  /** How far down it stands, in pixels. */
  readonly start: number;
  readonly virtual: VirtualRows["virtual"];
  readonly leaping: boolean;
  /** How many cells the turn has. */
  readonly count: number;
  /** Whether it is the cell that one is at. */
  readonly active: boolean;
  readonly onFocus: (index: number) => void;
}

/** While one scrolls, rows that stay are not drawn again. */
const MemoRow = memo(CellRow);

/** A cell at its place in the list, with the ways to run on from it. */
function CellRow(props: CellRowProps): VNode | null {
  const { store, turn, cell, index, active } = props;
  if (cell === undefined) return null;
  const own = turnOf(turn, cell);
  const depth = depthOf(own, cell);
  return (
    <div
      class={`cell cell-${cell.kind}${cell.replays === undefined ? "" : " replayed"}${depth === 0 ? "" : " inner"}`}
      role="listitem"
      aria-level={depth + 1}
      aria-setsize={props.count}
      aria-posinset={index + 1}
      data-index={index}
      ref={props.virtual.measureElement}
      style={{ transform: `translateY(${props.start}px)`, "--depth": Math.min(depth, MAX_DEPTH) }}
      onFocusCapture={() => props.onFocus(index)}
    >
      <CellView store={store} turn={own} cell={cell} now={store.now()} focusable={active} />
      <CellBranches {...{ store, turn, cell, active }} bare={props.leaping && !active} />
    </div>
  );
}

/** How high a cell is, in pixels, before it is drawn. */
function estimateOf(store: Store, cell: ShownCell | undefined): number {
  const open = cell !== undefined && store.isOpen(cell.id, opensByItself(cell));
  return open ? OPEN_HEIGHT : HEAD_HEIGHT;
}

/** Goes to the cell that was asked for, once it is among those that are drawn. */
function useWanted(store: Store, cells: readonly ShownCell[], move: (to: number) => void): void {
  const { wanted } = store;
  useEffect(() => {
    const at = wanted === undefined ? -1 : cells.findIndex(({ id }) => id === wanted);
    if (at < 0) return;
    store.wanted = undefined;
    move(at);
  });
}

interface KeyContext {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cells: readonly ShownCell[];
  readonly active: number;
  readonly move: (to: number) => void;
}

function onKey(event: KeyboardEvent, { store, turn, cells, active, move }: KeyContext): void {
  if (!(event.target instanceof HTMLElement) || event.target.dataset["head"] === undefined) return;
  const cell = cells[active];
  const moves: { readonly [key: string]: () => void } = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    j: () => move(active + 1),
    k: () => move(active - 1),
    Home: () => move(0),
    End: () => {
      move(cells.length - 1);
      store.followAgain();
    },
    ...branchKeys(store, cell),
    ...((cell?.kind === "answer" || cell?.kind === "ended") &&
      !store.readOnly &&
      turn.status !== "running" &&
      turn.forgotten === undefined && { r: () => store.fork.again(turn, wholeTurn(cell)) }),
    ...criticKeys(store, turn, cell),
    ...(cell !== undefined && {
      ArrowRight: () => store.fold(cell.id, true),
      ArrowLeft: () => store.fold(cell.id, false),
    }),
  };
  const action = moves[event.key];
  if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action();
}

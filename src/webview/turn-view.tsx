import type { VirtualItem } from "@tanstack/virtual-core";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TurnModel } from "../trace/model.ts";
import { contentOf } from "./cells/after.tsx";
import { CellBody, CellHead, hasHead, opensByItself } from "./cells/cell.tsx";
import { PlainCell, PlainLine, plainName } from "./cells/plain.tsx";
import { useFollow } from "./follow.ts";
import { branchKeys, CellBranches } from "./fork/cell-branches.tsx";
import { criticKeys } from "./judge/ask-critic.tsx";
import { wholeTurn } from "./fork/targets.ts";
import { useClock } from "./hooks.ts";
import { Icon } from "./icon.tsx";
import { memoryLine } from "./kept.tsx";
import { shownCells, turnOf, type ShownCell } from "./shown-cells.ts";
import { useMeasured, useSlots } from "./slots.ts";
import type { Store } from "./store.ts";
import { useVirtual, type VirtualRows } from "./virtual.ts";

const HEAD_HEIGHT = 28;
const OPEN_HEIGHT = 90;
/** Cells with something in them that folds by itself. */
const FOLDS_INSIDE: ReadonlySet<ShownCell["kind"]> = new Set(["round", "pairwise", "answer"]);

const GUTTER_ICONS: { readonly [kind in ShownCell["kind"]]?: string } = {
  question: "account",
  answer: "sparkle",
  warning: "warning",
  error: "error",
};

/** The cells that are drawn, made anew only when the turn or what is folded changed: not with each frame. */
function useCells(store: Store, turn: TurnModel): readonly ShownCell[] {
  return useMemo(
    () => shownCells(turn, (key) => store.isOpen(key, turn.cells.get(key)?.kind === "round")),
    [store, turn, turn.revision, store.folds.revision],
  );
}

/** The cell that one is at: for drawing, and at once for keys that follow each other faster than frames. */
function usePlace() {
  const [active, setActive] = useState(0);
  const latest = useRef(0);
  const set = (index: number) => {
    latest.current = index;
    setActive(index);
  };
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
        {drawn.map((item, at) => (
          <CellRow
            key={slots[at]}
            {...{ store, turn, now, item, leaping, virtual }}
            cell={cells[item.index]}
            count={cells.length}
            active={item.index === active}
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
  readonly now: number;
  readonly item: VirtualItem;
  readonly virtual: VirtualRows["virtual"];
  readonly leaping: boolean;
  /** How many cells the turn has. */
  readonly count: number;
  /** Whether it is the cell that one is at. */
  readonly active: boolean;
  readonly onFocus: (index: number) => void;
}

/** A cell at its place in the list, with the ways to run on from it. */
function CellRow(props: CellRowProps): VNode | null {
  const { store, turn, cell, now, item, active } = props;
  if (cell === undefined) return null;
  return (
    <div
      class={`cell cell-${cell.kind}${cell.replays === undefined ? "" : " replayed"}`}
      role="listitem"
      aria-setsize={props.count}
      aria-posinset={item.index + 1}
      data-index={item.index}
      ref={props.virtual.measureElement}
      style={{ transform: `translateY(${item.start}px)` }}
      onFocusCapture={() => props.onFocus(item.index)}
    >
      <CellView store={store} turn={turnOf(turn, cell)} cell={cell} now={now} focusable={active} />
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
    ...(cell?.kind === "answer" &&
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

interface CellViewProps {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: ShownCell;
  readonly now: number;
  readonly focusable: boolean;
}

/** One cell. A cell that did not change is not drawn again. */
function CellView({ store, turn, cell, now, focusable }: CellViewProps): VNode {
  const open = store.isOpen(cell.id, opensByItself(cell));
  const clock = cell.status === "running" || turn.status === "running" ? now : 0;
  const texts =
    store.details.revision + store.requests.revision + store.fork.revision + store.critic.revision;
  const kept = cell.kind === "answer" ? memoryLine(turn) : "";
  return useMemo(
    () =>
      hasHead(cell)
        ? foldingCell({ store, turn, cell, now, focusable }, open)
        : plainCell({ store, turn, cell, now, focusable }, open),
    [
      store,
      turn,
      madeOf(turn, cell),
      // A round shows what stands under it.
      revisionOf(turn, cell),
      FOLDS_INSIDE.has(cell.kind) ? store.folds.revision : 0,
      kept,
      turn.status,
      turn.feedback,
      turn.grade,
      open,
      clock,
      focusable,
      texts,
      store.shown.loading,
    ],
  );
}

function foldingCell({ store, turn, cell, now, focusable }: CellViewProps, open: boolean): VNode {
  return (
    <>
      <button
        type="button"
        class="fold"
        data-head=""
        tabIndex={focusable ? 0 : -1}
        aria-expanded={open}
        onClick={() => store.fold(cell.id, !open)}
      >
        <span class="gutter">
          <Icon name={open ? "chevron-down" : "chevron-right"} />
        </span>
        <span class="head">
          <CellHead store={store} turn={turn} cell={cell} now={now} open={open} />
        </span>
      </button>
      {open ? (
        <div class="body" key={cell.id}>
          <CellBody store={store} turn={turn} cell={cell} now={now} />
        </div>
      ) : null}
    </>
  );
}

function plainCell({ store, turn, cell, now, focusable }: CellViewProps, open: boolean): VNode {
  const icon = GUTTER_ICONS[cell.kind] ?? "info";
  const tone = cell.kind === "error" || cell.kind === "warning" ? cell.kind : undefined;
  return (
    <div class="plain" key={cell.id}>
      <button
        type="button"
        class="gutter"
        data-head=""
        tabIndex={focusable ? 0 : -1}
        aria-label={plainName(cell)}
        aria-expanded={open}
        onClick={() => store.fold(cell.id, !open)}
      >
        <Icon name={icon} {...(tone === undefined ? {} : { tone })} />
        <Icon name={open ? "chevron-down" : "chevron-right"} />
      </button>
      <div class="content">
        {open ? (
          <PlainCell store={store} turn={turn} cell={cell} now={now} />
        ) : (
          <PlainLine store={store} turn={turn} cell={cell} now={now} />
        )}
      </div>
    </div>
  );
}

/** What a cell is drawn from. Some cells are made anew each time, out of what the turn holds. */
function madeOf(turn: TurnModel, cell: ShownCell): unknown {
  switch (cell.kind) {
    case "card":
      return cell.card;
    case "verdict":
      return cell.committee;
    case "grade":
    case "pairwise":
    case "feedback":
    case "signs":
    case "reward":
    case "learnt":
      return contentOf(turn, cell);
    default:
      return turn.cells.get(cell.id);
  }
}

/** Counts the changes of what a cell shows: a round shows its members, and while it runs all that stands under it. */
function revisionOf(turn: TurnModel, cell: ShownCell): number {
  if (cell.kind !== "round") return cell.revision;
  if (cell.status === "running") return turn.revision;
  return cell.children.reduce((sum, id) => sum + (turn.cells.get(id)?.revision ?? 0), cell.revision);
}

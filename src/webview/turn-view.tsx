import type { VNode } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { TurnModel } from "../trace/model.ts";
import { CellBody, CellHead, folds, opensByItself, PlainCell } from "./cells/cell.tsx";
import { useFollow } from "./follow.ts";
import { useClock } from "./hooks.ts";
import { Icon } from "./icon.tsx";
import { memoryLine } from "./kept.tsx";
import { shownCells, type ShownCell } from "./shown-cells.ts";
import type { Store } from "./store.ts";
import { useVirtual } from "./virtual.ts";

const HEAD_HEIGHT = 28;
const OPEN_HEIGHT = 90;

const GUTTER_ICONS: { readonly [kind in ShownCell["kind"]]?: string } = {
  question: "account",
  answer: "sparkle",
  warning: "warning",
  error: "error",
};

/** The chosen turn as a notebook, from question to answer. Up and Down move, Left and Right fold. */
export function TurnView({ store, turn }: { readonly store: Store; readonly turn: TurnModel }): VNode {
  const scroll = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const now = useClock(store, store.running);
  const cells = shownCells(turn, (key) => store.isOpen(key, turn.cells.get(key)?.kind === "round"));
  const virtual = useVirtual({
    count: cells.length,
    scroll,
    estimate: (index) => (cells[index] !== undefined && folds(cells[index]) ? HEAD_HEIGHT : OPEN_HEIGHT),
    keyOf: (index) => cells[index]?.id ?? String(index),
    keep: active,
    paddingEnd: 12,
  });
  const noteScroll = useFollow({ store, turn, scroll, virtual });
  const move = (to: number) => {
    const index = Math.max(0, Math.min(cells.length - 1, to));
    setActive(index);
    virtual.scrollToIndex(index, { align: "auto" });
    requestAnimationFrame(() =>
      scroll.current
        ?.querySelector<HTMLElement>(`[data-index="${index}"] [data-head]`)
        ?.focus({ preventScroll: true }),
    );
  };
  return (
    <div
      class="cells"
      ref={scroll}
      onScroll={noteScroll}
      onKeyDown={(event) => onKey(event, { store, cells, active, move })}
    >
      <div
        class="cells-inner"
        role="list"
        aria-label="Steps of the turn"
        style={{ height: `${virtual.getTotalSize()}px` }}
      >
        {virtual.getVirtualItems().map((item) => {
          const cell = cells[item.index];
          return cell === undefined ? null : (
            <div
              key={item.key}
              class={`cell cell-${cell.kind}`}
              role="listitem"
              aria-setsize={cells.length}
              aria-posinset={item.index + 1}
              data-index={item.index}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${item.start}px)` }}
              onFocusCapture={() => setActive(item.index)}
            >
              <CellView store={store} turn={turn} cell={cell} now={now} focusable={item.index === active} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface KeyContext {
  readonly store: Store;
  readonly cells: readonly ShownCell[];
  readonly active: number;
  readonly move: (to: number) => void;
}

function onKey(event: KeyboardEvent, { store, cells, active, move }: KeyContext): void {
  if (!(event.target instanceof HTMLElement) || event.target.dataset["head"] === undefined) return;
  const cell = cells[active];
  const foldable = cell !== undefined && folds(cell);
  const moves: { readonly [key: string]: () => void } = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    Home: () => move(0),
    End: () => move(cells.length - 1),
    ...(foldable && {
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
  const texts = store.details.revision;
  const kept = cell.kind === "answer" ? memoryLine(turn) : "";
  return useMemo(
    () =>
      folds(cell)
        ? foldingCell({ store, turn, cell, now, focusable }, open)
        : plainCell({ store, turn, cell, now, focusable }),
    [
      store,
      turn,
      // A card and a verdict are made anew each time, out of what the turn holds; so is the remark of a member.
      cell.kind === "card" ? cell.card : cell.kind === "verdict" ? cell.committee : turn.cells.get(cell.id),
      // A round shows what stands under it.
      cell.kind === "round" && cell.status === "running" ? turn.revision : cell.revision,
      cell.kind === "round" ? store.foldsRevision : 0,
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
          <CellHead store={store} turn={turn} cell={cell} now={now} />
        </span>
      </button>
      {open ? (
        <div class="body">
          <CellBody store={store} turn={turn} cell={cell} now={now} />
        </div>
      ) : null}
    </>
  );
}

function plainCell({ store, turn, cell, now, focusable }: CellViewProps): VNode {
  const icon = GUTTER_ICONS[cell.kind] ?? "info";
  const tone = cell.kind === "error" || cell.kind === "warning" ? cell.kind : undefined;
  return (
    <div class="plain" data-head="" tabIndex={focusable ? 0 : -1}>
      <span class="gutter">
        <Icon name={icon} {...(tone === undefined ? {} : { tone })} />
      </span>
      <div class="content">
        <PlainCell store={store} turn={turn} cell={cell} now={now} />
      </div>
    </div>
  );
}

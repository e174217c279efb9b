import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { TurnModel } from "../trace/model.ts";
import { contentOf } from "./cells/after.tsx";
import { CellBody, CellHead, hasHead, opensByItself } from "./cells/cell.tsx";
import { PlainCell, PlainLine, plainName } from "./cells/plain.tsx";
import { Icon } from "./icon.tsx";
import { memoryLine } from "./kept.tsx";
import type { ShownCell } from "./shown-cells.ts";
import type { Store } from "./store.ts";

/** Cells with something in them that folds by itself, or that is typed in. */
const FOLDS_INSIDE: ReadonlySet<ShownCell["kind"]> = new Set([
  ...(["round", "pairwise", "answer", "question", "tool", "grade"] as const),
]);

const GUTTER_ICONS: { readonly [kind in ShownCell["kind"]]?: string } = {
  question: "account",
  answer: "sparkle",
  warning: "warning",
  error: "error",
  ended: "circle-slash",
};

interface CellViewProps {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: ShownCell;
  readonly now: number;
  readonly focusable: boolean;
}

/** One cell. A cell that did not change is not drawn again. */
export function CellView({ store, turn, cell, now, focusable }: CellViewProps): VNode {
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
      FOLDS_INSIDE.has(cell.kind) ? store.folds.revision + store.typed.revision : 0,
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

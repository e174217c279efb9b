import type { VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { TurnSummary } from "../trace/summary.ts";
import { GradeBadge } from "./judge/badge.tsx";
import { count, timeOfDay } from "./format.ts";
import { Icon } from "./icon.tsx";
import { memo } from "./memo.tsx";
import { useSlots } from "./slots.ts";
import type { Store } from "./store.ts";
import type { ListItem } from "./turn-rows.ts";
import { TurnSearch } from "./turn-search.tsx";
import { useVirtual } from "./virtual.ts";

const HEAD_HEIGHT = 30;
const ROW_HEIGHT = 62;
/** Nearer to the end than this many rows, the next page is asked for. */
const MORE_WITHIN = 20;
const STEPS: { readonly [key: string]: 1 | -1 } = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** All turns by session, newest session first. Up and Down choose. */
export function TurnList({ store }: { readonly store: Store }): VNode {
  const items = store.rows.items(store.now());
  return (
    <nav class="turns" aria-label="Turns" aria-busy={store.rows.searching}>
      <TurnSearch store={store} />
      {items.length === 0 ? <NoTurns store={store} /> : <Rows store={store} items={items} />}
    </nav>
  );
}

/** A search looks on until it finds something: whoever reads "nothing" can rely on it. */
function NoTurns({ store }: { readonly store: Store }): VNode {
  const { rows } = store;
  useEffect(() => {
    if (rows.hasNext) store.more();
  });
  return (
    <p class="hint" role="status">
      {noneWords(store)}
    </p>
  );
}

function noneWords({ rows }: Store): string {
  if (!rows.loaded) return "";
  if (rows.searching || rows.hasNext) return "Searching older sessions …";
  return rows.filter === "" ? "No turns yet." : "Nothing matches.";
}

/** Where the row of a turn stands; -1 where it does not. */
function useChosen(items: readonly ListItem[], turnId: string | undefined): number {
  return useMemo(
    () => items.findIndex((item) => item.kind === "row" && item.row.turnId === turnId),
    [items, turnId],
  );
}

function Rows({ store, items }: { readonly store: Store; readonly items: readonly ListItem[] }): VNode {
  const scroll = useRef<HTMLDivElement>(null);
  const chosen = useChosen(items, store.selected?.turnId);
  const { virtual } = useVirtual({
    rows: items,
    count: items.length,
    scroll,
    estimate: (index) => (items[index]?.kind === "head" ? HEAD_HEIGHT : ROW_HEIGHT),
    keyOf: (index) => items[index]?.key ?? String(index),
    keep: chosen,
  });
  const drawn = virtual.getVirtualItems();
  const slots = useSlots(drawn.map(({ key }) => String(key)));
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - MORE_WITHIN) store.more();
  }, [store, last, items.length]);
  const choose = (from: number, step: number) => {
    let to = from + step;
    while (items[to]?.kind === "head") to += step;
    const item = items[to];
    if (item?.kind !== "row") return;
    store.select(item.row);
    virtual.scrollToIndex(to, { align: "auto" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Delete" && store.selected !== null && chosen >= 0 && !store.readOnly) {
      // The host asks before anything goes.
      store.send({ type: "delete_session", sessionId: store.selected.sessionId });
    }
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(chosen, step);
  };
  return (
    <div
      class="rows"
      ref={scroll}
      role="listbox"
      aria-label="Turns"
      tabIndex={0}
      {...(drawn.some(({ index }) => index === chosen) ? { "aria-activedescendant": `turn-${chosen}` } : {})}
      onKeyDown={onKeyDown}
    >
      <div class="rows-inner" role="presentation" style={{ height: `${virtual.getTotalSize()}px` }}>
        {drawn.map(({ index, start }, at) => (
          <MemoLine
            key={slots[at]}
            store={store}
            item={items[index]}
            index={index}
            start={start}
            chosen={index === chosen}
          />
        ))}
      </div>
    </div>
  );
}

/** While one scrolls, lines that stay are not drawn again. */
const MemoLine = memo(Line);

function Line(props: {
  readonly store: Store;
  readonly item: ListItem | undefined;
  readonly index: number;
  readonly start: number;
  readonly chosen: boolean;
}): VNode | null {
  const { store, item } = props;
  const style = { transform: `translateY(${props.start}px)` };
  if (item === undefined) return null;
  if (item.kind === "head") {
    return (
      <div class="session-head" role="presentation" style={style} title={item.label}>
        {item.label}
      </div>
    );
  }
  return (
    <Row
      id={`turn-${props.index}`}
      item={item}
      chosen={props.chosen}
      style={style}
      onChoose={() => store.select(item.row)}
    />
  );
}

function Row(props: {
  readonly id: string;
  readonly item: ListItem & { readonly kind: "row" };
  readonly chosen: boolean;
  readonly style: { readonly transform: string };
  readonly onChoose: () => void;
}): VNode {
  const { row, branch } = props.item;
  return (
    <div
      id={props.id}
      class={`row${props.chosen ? " chosen" : ""}${branch ? " branch" : ""}`}
      role="option"
      data-vscode-context={menuContext(row)}
      aria-selected={props.chosen}
      style={props.style}
      onClick={props.onChoose}
    >
      <span class="row-question" title={row.question}>
        {branch ? <Icon name="git-branch" /> : null} {row.question}
      </span>
      {row.grade === null ? <span /> : <GradeBadge score={row.grade} short />}
      <span class="row-answer">{answerOf(row)}</span>
      <RowFacts row={row} />
    </div>
  );
}

/** When, by whom, and with what a turn was answered; what people thought of it. */
function RowFacts({ row }: { readonly row: TurnSummary }): VNode {
  const tokens = row.inputTokens + row.outputTokens;
  return (
    <span class="row-facts">
      <span>{timeOfDay(row.time)}</span>
      {row.private === true ? <Mark icon="lock" title="private: in this window only" word="private" /> : null}
      {row.imported === undefined ? null : (
        <Mark icon="desktop-download" title={`imported from ${row.imported}`} word="imported" />
      )}
      <span class="ellipsis">{row.agent}</span>
      {row.toolCalls > 0 ? (
        <span class="nowrap" title={`${row.toolCalls} tool calls: ${row.tools.join(", ")}`}>
          <Icon name="tools" /> {row.toolCalls}
          <span class="sr-only"> tool calls</span>
        </span>
      ) : null}
      {row.thinking ? <Mark icon="lightbulb" title="thought aloud" word="thought aloud" /> : null}
      {row.feedback === "up" ? <Mark icon="thumbsup" title="you found it good" word="found good" /> : null}
      {row.feedback === "down" ? (
        <Mark icon="thumbsdown" title="you found it poor" word="found poor" />
      ) : null}
      {tokens > 0 ? (
        <span
          class="nowrap tokens"
          title={`${count(row.inputTokens)} tokens in, ${count(row.outputTokens)} out`}
        >
          {count(tokens)}
          <span class="sr-only"> tokens</span>
        </span>
      ) : null}
    </span>
  );
}

/** An icon that says something by itself; in a word for those who listen. */
function Mark(props: { readonly icon: string; readonly title: string; readonly word: string }): VNode {
  return (
    <span title={props.title}>
      <Icon name={props.icon} />
      <span class="sr-only">{props.word}</span>
    </span>
  );
}

function answerOf(row: TurnSummary): VNode | string {
  // What stands in place of the question says it once.
  if (row.forgotten !== undefined) return "";
  switch (row.status) {
    case "running":
      return <span class="running">running</span>;
    case "failed":
      return (
        <span class="tone-error">
          <Icon name="error" /> {row.error ?? "failed"}
        </span>
      );
    case "cancelled":
      return "cancelled";
    case "interrupted":
      return "interrupted";
    case "answered":
      return row.answer.replace(/\*\*|__|`/g, "");
  }
}

/** What the menu of a row is about, as VS Code hands it to the commands in it. */
function menuContext({ sessionId, turnId }: TurnSummary): string {
  return JSON.stringify({ webviewSection: "turn", sessionId, turnId, preventDefaultContextMenuItems: true });
}

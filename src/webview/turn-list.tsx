import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { TurnSummary } from "../trace/summary.ts";
import { GradeBadge } from "./cells/cell.tsx";
import { count, timeOfDay } from "./format.ts";
import { Icon } from "./icon.tsx";
import type { Store } from "./store.ts";
import type { ListItem } from "./turn-rows.ts";
import { useVirtual } from "./virtual.ts";

const HEAD_HEIGHT = 30;
const ROW_HEIGHT = 62;
/** Nearer to the end than this many rows, the next page is asked for. */
const MORE_WITHIN = 20;
const SEARCH_AFTER_MS = 150;

/** All turns by session, newest session first. Up and Down choose. */
export function TurnList({ store }: { readonly store: Store }): VNode {
  const items = store.rows.items(store.now());
  return (
    <nav class="turns" aria-label="Turns">
      <Search store={store} />
      {items.length === 0 ? <NoTurns store={store} /> : <Rows store={store} items={items} />}
    </nav>
  );
}

function NoTurns({ store }: { readonly store: Store }): VNode {
  const words = store.rows.loaded ? (store.rows.filter === "" ? "No turns yet." : "Nothing matches.") : "";
  return <p class="hint">{words}</p>;
}

function Search({ store }: { readonly store: Store }): VNode {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (filter: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => store.search(filter), SEARCH_AFTER_MS);
  };
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        placeholder="Search turns"
        aria-label="Search turns"
        maxLength={200}
        onInput={(event) => search(event.currentTarget.value)}
      />
    </div>
  );
}

function Rows({ store, items }: { readonly store: Store; readonly items: readonly ListItem[] }): VNode {
  const scroll = useRef<HTMLDivElement>(null);
  const chosen = items.findIndex((item) => item.kind === "row" && item.row.turnId === store.selected?.turnId);
  const virtual = useVirtual({
    count: items.length,
    scroll,
    estimate: (index) => (items[index]?.kind === "head" ? HEAD_HEIGHT : ROW_HEIGHT),
    keyOf: (index) => items[index]?.key ?? String(index),
    keep: chosen,
  });
  const drawn = virtual.getVirtualItems();
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
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
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
      {...(chosen < 0 ? {} : { "aria-activedescendant": `turn-${chosen}` })}
      onKeyDown={onKeyDown}
    >
      <div class="rows-inner" role="presentation" style={{ height: `${virtual.getTotalSize()}px` }}>
        {drawn.map(({ index, start }) => (
          <Line
            key={items[index]?.key}
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
      aria-selected={props.chosen}
      style={props.style}
      onClick={props.onChoose}
    >
      <span class="row-question" title={row.question}>
        {branch ? <Icon name="git-branch" /> : null} {row.question}
      </span>
      {row.grade === null ? <span /> : <GradeBadge score={row.grade} />}
      <span class="row-answer">{answerOf(row)}</span>
      <span class="row-facts">
        <span>{timeOfDay(row.time)}</span>
        {row.private === true ? (
          <span title="private: in this window only">
            <Icon name="lock" />
            <span class="sr-only">private</span>
          </span>
        ) : null}
        <span class="ellipsis">{row.agent}</span>
        {row.toolCalls > 0 ? (
          <span class="nowrap" title={`${row.toolCalls} tool calls`}>
            <Icon name="tools" /> {row.toolCalls}
            <span class="sr-only"> tool calls</span>
          </span>
        ) : null}
        {row.thinking ? (
          <span title="thought aloud">
            <Icon name="lightbulb" />
            <span class="sr-only">thought aloud</span>
          </span>
        ) : null}
        {row.inputTokens + row.outputTokens > 0 ? (
          <span
            class="nowrap tokens"
            title={`${count(row.inputTokens)} tokens in, ${count(row.outputTokens)} out`}
          >
            {count(row.inputTokens + row.outputTokens)}
            <span class="sr-only"> tokens</span>
          </span>
        ) : null}
      </span>
    </div>
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

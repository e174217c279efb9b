import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ActivityRecord } from "../../trace/activity/records.ts";
import { count } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { useVirtual } from "../virtual.ts";
import { ActivityRow } from "./activity-row.tsx";

const ROW_HEIGHT = 46;
/** A filter is sent when nobody has typed for so long. */
const TYPED_MS = 200;

/** The words for a list of one kind of activity. */
export interface ListWords {
  /** What the list is of. */
  readonly label: string;
  /** What the switch that narrows it says; left out: there is none. */
  readonly only?: string;
  /** Said when there is nothing at all. */
  readonly nothing: string;
}

/** What stands around a list. */
interface ListProps {
  readonly store: Store;
  readonly words: ListWords;
  /** Stands behind the filter. */
  readonly choices?: VNode;
  /** The chosen row laid open beside the list: a click chooses then, and Enter leads to the turn. */
  readonly detail?: (record: ActivityRecord, close: () => void) => VNode;
}

/** What happened, newest first, and the filter above it. A row leads to its turn. */
export function ActivityList({ store, words, choices, detail }: ListProps): VNode {
  const { activity } = store.views;
  const [chosen, choose] = useState<ActivityRecord | undefined>(undefined);
  // What came meanwhile moves the rows; the one that is looked at stays.
  const at = chosen === undefined ? -1 : activity.indexOf(chosen.id);
  const record = activity.row(at) ?? chosen;
  const rows = <Rows store={store} words={words} at={at} choose={choose} opens={detail === undefined} />;
  return (
    <>
      <Filter key={activity.of} store={store} words={words} choices={choices} />
      {activity.total === 0 ? (
        <p class="hint">{emptyWords(store, words)}</p>
      ) : detail === undefined ? (
        rows
      ) : (
        <div class="list-and-detail">
          {rows}
          {record === undefined ? null : detail(record, () => choose(undefined))}
        </div>
      )}
      <p class="view-foot dim" role="status">
        {footWords(store)}
      </p>
    </>
  );
}

function emptyWords(store: Store, words: ListWords): string {
  const { activity } = store.views;
  if (activity.filter !== "" || activity.only || activity.part !== "") return "Nothing matches.";
  if (activity.standing.reading) return "Reading …";
  return store.readOnly ? "The turns of this file hold none." : words.nothing;
}

function footWords(store: Store): string {
  const { total, standing } = store.views.activity;
  if (standing.reading) return store.readOnly ? "Reading the file …" : "Reading the traces …";
  const older = standing.older ? "; older sessions are not counted" : "";
  return total === 0 && !standing.older ? "" : `${count(total)} listed${older}`;
}

function Filter(props: Pick<ListProps, "store" | "words"> & { readonly choices: VNode | undefined }): VNode {
  const { store, words } = props;
  const { activity } = store.views;
  const [text, setText] = useState(activity.filter);
  const typed = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(typed.current), []);
  const send = (filter: string, only: boolean) => {
    clearTimeout(typed.current);
    activity.narrow(filter, only);
    store.redraw();
  };
  const label = `Filter ${words.label.toLowerCase()}`;
  return (
    <form
      class="memory-filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        send(text, activity.only);
      }}
    >
      <div class="search">
        <Icon name="filter" />
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          maxLength={400}
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            clearTimeout(typed.current);
            typed.current = setTimeout(() => send(value, activity.only), TYPED_MS);
          }}
        />
      </div>
      {words.only === undefined ? null : (
        <button
          type="button"
          class={activity.only ? "chip" : "chip off"}
          role="switch"
          aria-checked={activity.only}
          onClick={() => send(text, !activity.only)}
        >
          {activity.only ? <Icon name="check" /> : null} {words.only}
        </button>
      )}
      {props.choices}
    </form>
  );
}

function Rows(props: {
  readonly store: Store;
  readonly words: ListWords;
  /** The chosen row; -1: none. */
  readonly at: number;
  readonly choose: (record: ActivityRecord | undefined) => void;
  /** A click leads to the turn. */
  readonly opens: boolean;
}): VNode {
  const { store, words, choose, opens } = props;
  const { activity } = store.views;
  const scroll = useRef<HTMLDivElement>(null);
  const { total } = activity;
  // A row that has not come yet can be walked over.
  const [walked, setWalked] = useState(-1);
  const at = props.at >= 0 ? props.at : walked;
  const { virtual } = useVirtual({
    count: total,
    scroll,
    estimate: () => ROW_HEIGHT,
    keyOf: (index) => activity.row(index)?.id ?? String(index),
    keep: at,
  });
  const drawn = virtual.getVirtualItems();
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0];
  useEffect(() => activity.need(first, last));
  const show = (record: ActivityRecord | undefined) => {
    if (record !== undefined) store.select(record);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keyTo(event.key, at, total);
    if (to === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (to === undefined) show(activity.row(at));
    else {
      setWalked(to);
      choose(activity.row(to));
      virtual.scrollToIndex(to, { align: "auto" });
    }
  };
  return (
    <div
      class="activity-list"
      ref={scroll}
      role="listbox"
      aria-label={words.label}
      tabIndex={0}
      {...(drawn.some(({ index }) => index === at) ? { "aria-activedescendant": `activity-${at}` } : {})}
      onKeyDown={onKeyDown}
    >
      <div class="rows-inner" role="presentation" style={{ height: `${virtual.getTotalSize()}px` }}>
        {drawn.map(({ index, start, key }) => (
          <Row
            key={key}
            {...{ store, index, start, choose, opens, show }}
            chosen={index === at}
            total={total}
          />
        ))}
      </div>
    </div>
  );
}

function Row(props: {
  readonly store: Store;
  readonly index: number;
  readonly start: number;
  readonly chosen: boolean;
  readonly total: number;
  readonly opens: boolean;
  readonly choose: (record: ActivityRecord | undefined) => void;
  readonly show: (record: ActivityRecord | undefined) => void;
}): VNode {
  const { store, index, chosen, opens, choose, show } = props;
  const record = store.views.activity.row(index);
  return (
    <div
      id={`activity-${index}`}
      class={`activity-row${chosen ? " active" : ""}`}
      role="option"
      aria-selected={chosen}
      aria-setsize={props.total}
      aria-posinset={index + 1}
      style={{ transform: `translateY(${props.start}px)` }}
      title={opens ? "Show the turn" : "Lay it open; double-click: show the turn"}
      onClick={() => (opens ? show(record) : choose(record))}
      onDblClick={() => show(record)}
    >
      <ActivityRow record={record} now={store.now()} />
    </div>
  );
}

/** The row that a key leads to; undefined for keys that lead nowhere. */
function keyTo(key: string, at: number, total: number): number | undefined {
  const rows: { readonly [key: string]: number } = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: total - 1,
  };
  const to = rows[key];
  return to === undefined ? undefined : Math.max(0, Math.min(total - 1, to));
}

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

/** What happened, newest first, and the filter above it. A row leads to its turn. */
export function ActivityList({ store, words }: { readonly store: Store; readonly words: ListWords }): VNode {
  const { activity } = store.views;
  return (
    <>
      <Filter store={store} words={words} />
      {activity.total === 0 ? (
        <p class="hint">{emptyWords(store, words)}</p>
      ) : (
        <Rows store={store} words={words} />
      )}
      <p class="view-foot dim" role="status">
        {footWords(store)}
      </p>
    </>
  );
}

function emptyWords(store: Store, words: ListWords): string {
  const { activity } = store.views;
  if (activity.filter !== "" || activity.only) return "Nothing matches.";
  return activity.standing.reading ? "Reading …" : words.nothing;
}

function footWords(store: Store): string {
  const { total, standing } = store.views.activity;
  if (standing.reading) return "Reading the traces …";
  const older = standing.older ? "; older sessions are not counted" : "";
  return total === 0 && !standing.older ? "" : `${count(total)} listed${older}`;
}

function Filter({ store, words }: { readonly store: Store; readonly words: ListWords }): VNode {
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
    </form>
  );
}

function Rows({ store, words }: { readonly store: Store; readonly words: ListWords }): VNode {
  const { activity } = store.views;
  const { total } = activity;
  const scroll = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(-1);
  const virtual = useVirtual({
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
    if (to === undefined) {
      show(activity.row(at));
      return;
    }
    setAt(to);
    virtual.scrollToIndex(to, { align: "auto" });
  };
  return (
    <div
      class="activity-list"
      ref={scroll}
      role="listbox"
      aria-label={words.label}
      tabIndex={0}
      {...(at < 0 ? {} : { "aria-activedescendant": `activity-${at}` })}
      onKeyDown={onKeyDown}
    >
      <div class="rows-inner" role="presentation" style={{ height: `${virtual.getTotalSize()}px` }}>
        {drawn.map(({ index, start, key }) => (
          <div
            key={key}
            id={`activity-${index}`}
            class={`activity-row${index === at ? " active" : ""}`}
            role="option"
            aria-selected={index === at}
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
            title="Show the turn"
            onClick={() => show(activity.row(index))}
          >
            <ActivityRow record={activity.row(index)} now={store.now()} />
          </div>
        ))}
      </div>
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

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { MemoryTable } from "../../agent/memory/types.ts";
import { Icon, IconButton } from "../icon.tsx";
import type { Store } from "../store.ts";
import { readDays } from "./days.ts";
import { TABLES } from "./saved.ts";
import type { MemoryState } from "./state.ts";

/** A filter is sent when nobody has typed for so long. */
const TYPED_MS = 200;

const LABELS: { readonly [T in MemoryTable]: string } = {
  episodes: "Episodes",
  facts: "Facts",
  people: "People",
  relationships: "Relationships",
  resources: "Resources",
  moments: "Moments",
};

/** The tables as tabs: Left and Right move between them. */
export function Tabs({ memory }: { readonly memory: MemoryState }): VNode {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = TABLES[TABLES.indexOf(memory.table) + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    memory.show(next);
    list.current?.querySelector<HTMLElement>(`[data-table="${next}"]`)?.focus();
  };
  return (
    <div class="memory-tabs" role="tablist" aria-label="Tables of memory" ref={list} onKeyDown={onKeyDown}>
      {TABLES.map((table) => (
        <button
          key={table}
          type="button"
          role="tab"
          id={`memory-tab-${table}`}
          data-table={table}
          aria-selected={table === memory.table}
          aria-controls="memory-panel"
          tabIndex={table === memory.table ? 0 : -1}
          onClick={() => memory.show(table)}
        >
          {LABELS[table]}
        </button>
      ))}
    </div>
  );
}

/** What can be done with memory as a whole. */
export function MemoryActions(props: { readonly memory: MemoryState; readonly onAbout: () => void }): VNode {
  const { memory } = props;
  return (
    <span class="memory-actions">
      <IconButton icon="refresh" label="Refresh" onClick={() => memory.refresh()} />
      <IconButton icon="trash" label="Forget all about …" onClick={props.onAbout} />
      <IconButton icon="export" label="Export memory …" onClick={() => memory.start("memory.export")} />
      <IconButton icon="insert" label="Import memory …" onClick={() => memory.start("memory.import")} />
    </span>
  );
}

function Switch(props: {
  readonly on: boolean;
  readonly label: string;
  readonly title: string;
  readonly onTurn: (on: boolean) => void;
}): VNode {
  return (
    <button
      type="button"
      class={props.on ? "chip" : "chip off"}
      role="switch"
      aria-checked={props.on}
      title={props.title}
      onClick={() => props.onTurn(!props.on)}
    >
      {props.on ? <Icon name="check" /> : null} {props.label}
    </button>
  );
}

/** The filter, and the switches that narrow what is shown. */
export function Filter({ store }: { readonly store: Store }): VNode {
  const { memory } = store;
  const [text, setText] = useState(memory.tab.filter);
  const typed = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const send = (filter: string) => {
    clearTimeout(typed.current);
    if (filter !== memory.tab.filter) memory.filterBy(filter);
  };
  useEffect(() => () => clearTimeout(typed.current), []);
  const ranked = memory.table === "episodes" && memory.ranked;
  const label = ranked ? "What should be recalled" : `Filter ${memory.table}`;
  return (
    <form
      class="memory-filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        send(text);
      }}
    >
      <div class="search">
        <Icon name={ranked ? "search" : "filter"} />
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          maxLength={400}
          value={text}
          onInput={(event) => {
            const { value } = event.currentTarget;
            setText(value);
            clearTimeout(typed.current);
            typed.current = setTimeout(() => send(value), TYPED_MS);
          }}
        />
      </div>
      <Switches store={store} />
    </form>
  );
}

function Switches({ store }: { readonly store: Store }): VNode {
  const { memory } = store;
  const expires = memory.table === "facts" || memory.table === "relationships";
  return (
    <>
      {memory.table === "episodes" ? (
        <Switch
          on={memory.ranked}
          label="Ranked"
          title="Find by how well a memory fits, as the model's own search does, and see why"
          onTurn={(on) => memory.turn("ranked", on)}
        />
      ) : null}
      {expires ? (
        <Switch
          on={memory.onlyCurrent}
          label="Only what holds"
          title="Leave out what no longer holds"
          onTurn={(on) => memory.turn("onlyCurrent", on)}
        />
      ) : null}
      {memory.table === "moments" ? <Between memory={memory} /> : null}
      {store.frame?.workspace === true ? (
        <Switch
          on={memory.here}
          label={memory.news.place === null ? "This workspace" : `Only ${memory.news.place}`}
          title={`Only what belongs to ${memory.news.place ?? "this workspace"}, and what belongs to none`}
          onTurn={(on) => memory.turn("here", on)}
        />
      ) : null}
    </>
  );
}

/** The first and the last day of what is shown. */
function Between({ memory }: { readonly memory: MemoryState }): VNode {
  const { days } = memory.tab;
  const ends = [
    ["from", "From"],
    ["to", "To"],
  ] as const;
  return (
    <div class="memory-days">
      {ends.map(([end, label]) => (
        <label key={end}>
          {label}
          <input
            type="date"
            value={days[end]}
            onChange={(event) => {
              const changed = readDays({ ...days, [end]: event.currentTarget.value });
              memory.filterBy(memory.tab.filter, changed);
            }}
          />
        </label>
      ))}
    </div>
  );
}

/** Asks for words: everything that mentions them is looked up, named, and forgotten after a yes. */
export function ForgetAbout(props: { readonly memory: MemoryState; readonly onDone: () => void }): VNode {
  const { memory, onDone } = props;
  const [about, setAbout] = useState(memory.tab.filter);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="memory-filter"
      aria-label="Forget all about"
      onSubmit={(event) => {
        event.preventDefault();
        if (about.trim() === "") return;
        memory.forget({ by: "about", about: about.trim(), here: memory.here });
        onDone();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <div class="search">
        <Icon name="trash" />
        <input
          ref={field}
          type="text"
          aria-label="Forget all about"
          placeholder="A name, a place, any words"
          maxLength={400}
          value={about}
          onInput={(event) => setAbout(event.currentTarget.value)}
        />
      </div>
      <button type="submit" class="secondary">
        Look it up …
      </button>
      <IconButton icon="close" label="Close" onClick={onDone} />
    </form>
  );
}

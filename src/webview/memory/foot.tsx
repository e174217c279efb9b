import type { VNode } from "preact";
import type { MemoryTable } from "../../agent/memory/types.ts";
import type { MemoryFound, MemoryWork } from "../../trace/panel-memory.ts";
import { count, dayOf } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import type { MemoryState } from "./state.ts";

const ONE: { readonly [T in MemoryTable]: string } = {
  episodes: "episode",
  facts: "fact",
  people: "name",
  relationships: "relationship",
  resources: "resource",
  moments: "moment",
};

const WORK: { readonly [what in MemoryWork["what"]]: string } = {
  looking: "Looking up what would go",
  forgetting: "Forgetting",
  exporting: "Exporting",
  importing: "Importing",
  pinning: "Pinning",
};

/** How many rows there are, in words. */
function totalWords({ total, table }: MemoryState): string {
  if (total === undefined) return "";
  const many = table === "people" ? "names" : `${ONE[table]}s`;
  return `${count(total)} ${total === 1 ? ONE[table] : many}`;
}

/** What a ranked search came to, in words. */
function foundWords(found: MemoryFound, shown: number, now: number): string {
  const { searched, dropped, range, note } = found;
  return [
    `${count(shown)} of ${count(searched)} recalled`,
    dropped > 0 ? `${count(dropped)} left out as off the topic` : undefined,
    range === null ? undefined : `from ${dayOf(range.from, now)} to ${dayOf(range.to, now)}`,
    note ?? undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

/** Rows that a search by meaning does not find yet, and the way to pause or to go on. */
function Embedding({ store }: { readonly store: Store }): VNode | null {
  const { waiting, paused } = store.memory.news.embedding;
  if (waiting === 0) return null;
  return (
    <>
      <span title="Until then they are found by their words only">
        {count(waiting)} {waiting === 1 ? "waits" : "wait"} for {waiting === 1 ? "its" : "their"} embedding
        {paused ? ", paused" : ""}
      </span>
      <button
        type="button"
        class="quiet"
        onClick={() => store.send({ type: "memory.embed", action: paused ? "start" : "stop" })}
      >
        {paused ? "Go on" : "Pause"}
      </button>
    </>
  );
}

/** How many rows there are, what is selected, and what is at work or came of it. */
export function Foot({ store }: { readonly store: Store }): VNode {
  const { memory } = store;
  const { found, news, table } = memory;
  const { work } = news;
  const selected = memory.choice.count;
  const pinnable = table !== "relationships" && table !== "resources";
  return (
    <div class="memory-foot">
      <span class="num">
        {found === null ? totalWords(memory) : foundWords(found, memory.total ?? 0, store.now())}
      </span>
      {selected === 0 ? null : (
        <>
          <span>{count(selected)} selected</span>
          {pinnable ? (
            <button type="button" class="quiet" onClick={() => memory.choice.take("memory.pin")}>
              <Icon name="pin" /> Pin
            </button>
          ) : null}
          <button type="button" class="quiet" onClick={() => memory.choice.take("memory.export")}>
            <Icon name="export" /> Export
          </button>
          <button type="button" class="quiet" onClick={() => memory.choice.forget(undefined)}>
            <Icon name="trash" /> Forget
          </button>
          <button type="button" class="quiet" onClick={() => memory.choice.unselect()}>
            Clear
          </button>
        </>
      )}
      {memory.waiting ? <span class="memory-reading">Reading …</span> : null}
      {memory.behind ? (
        <button type="button" class="quiet" onClick={() => memory.refresh()}>
          <Icon name="refresh" /> Show what came since
        </button>
      ) : null}
      <Embedding store={store} />
      <span class="space" />
      <span role="status" aria-live="polite" class="memory-told">
        {work === null
          ? memory.news.told
          : `${WORK[work.what]}${work.done > 0 ? `, ${count(work.done)} rows` : ""} …`}
      </span>
      {work === null ? null : (
        <button type="button" class="quiet" onClick={() => memory.start("memory.cancel")}>
          <Icon name="debug-stop" /> Cancel
        </button>
      )}
    </div>
  );
}

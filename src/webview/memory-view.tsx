import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { MEMORY_PAGE } from "../trace/panel-limits.ts";
import type { MemoryRow } from "../trace/panel-protocol.ts";
import { FailureBox } from "./cells/cell.tsx";
import { count, when } from "./format.ts";
import { Icon, IconButton } from "./icon.tsx";
import { ScoreBar } from "./score-bar.tsx";
import type { Store } from "./store.ts";

/** What is remembered, as a table: page by page, filtered, or ranked by how well it fits. */
export function MemoryView({ store }: { readonly store: Store }): VNode {
  const { memory } = store;
  return (
    <div class="memory" role="region" aria-label="Memory">
      <MemorySearch store={store} />
      {memory.failure === null ? null : <FailureBox store={store} failure={memory.failure} />}
      {memory.note === null ? null : <p class="hint">{memory.note}</p>}
      {memory.failure === null && memory.rows.length === 0 ? (
        <p class="hint">
          {memory.waiting
            ? "Reading …"
            : memory.filter === ""
              ? "Nothing is remembered yet."
              : "Nothing matches."}
        </p>
      ) : null}
      {memory.rows.length === 0 ? null : <Table store={store} />}
      <Pager store={store} />
    </div>
  );
}

function MemorySearch({ store }: { readonly store: Store }): VNode {
  const { memory } = store;
  const [text, setText] = useState(memory.filter);
  return (
    <form
      class="memory-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        memory.search(text, memory.ranked);
      }}
    >
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search memory"
          placeholder="Search memory"
          maxLength={400}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <button
        type="button"
        class={memory.ranked ? "chip" : "chip off"}
        role="switch"
        aria-checked={memory.ranked}
        title="Rank by how well a memory fits, as the model's own search does"
        onClick={() => memory.search(text, !memory.ranked)}
      >
        ranked {memory.ranked ? "on" : "off"}
      </button>
    </form>
  );
}

function Table({ store }: { readonly store: Store }): VNode {
  const { memory } = store;
  const scored = memory.rows.some((row) => row.score !== undefined);
  return (
    <div class="memory-rows" tabIndex={0} role="region" aria-label="Memories">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Remembered</th>
            <th scope="col" class="not-narrow">
              Kind
            </th>
            {scored ? <th scope="col">Score</th> : null}
            <th scope="col">
              <span class="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {memory.rows.map((row) => (
            <Line key={row.id} store={store} row={row} scored={scored} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({
  store,
  row,
  scored,
}: {
  readonly store: Store;
  readonly row: MemoryRow;
  readonly scored: boolean;
}): VNode {
  return (
    <tr>
      <td class="dim nowrap">{when(row.time, store.now())}</td>
      <td>
        <button type="button" class="link-like" title="Open the turn" onClick={() => store.select(row)}>
          {row.question === "" ? row.answer : row.question}
        </button>
        {row.question === "" ? null : <div class="dim two-lines">{row.answer}</div>}
      </td>
      <td class="dim not-narrow">{row.kind}</td>
      {scored ? (
        <td class="nowrap">
          <ScoreBar score={row.score ?? 0} parts={row.parts ?? {}} />{" "}
          <span class="num">{(row.score ?? 0).toFixed(2)}</span>
        </td>
      ) : null}
      <td class="num">
        <IconButton
          icon="trash"
          label={`Forget: ${row.question === "" ? row.answer : row.question}`}
          onClick={() => store.memory.forget([row.id])}
        />
      </td>
    </tr>
  );
}

function Pager({ store }: { readonly store: Store }): VNode | null {
  const { memory } = store;
  if (memory.total === 0) return null;
  const last = Math.min(memory.total, memory.offset + memory.rows.length);
  return (
    <div class="pager">
      <span class="num">
        {count(memory.offset + 1)}–{count(last)} of {count(memory.total)}
      </span>
      <button
        type="button"
        class="quiet"
        disabled={memory.offset === 0}
        onClick={() => memory.load(memory.offset - MEMORY_PAGE)}
      >
        Newer
      </button>
      <button
        type="button"
        class="quiet"
        disabled={last >= memory.total}
        onClick={() => memory.load(memory.offset + MEMORY_PAGE)}
      >
        Older
      </button>
    </div>
  );
}

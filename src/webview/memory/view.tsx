import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { FailureBox } from "../cells/failure-box.tsx";
import type { Store } from "../store.ts";
import { Foot } from "./foot.tsx";
import { Grid } from "./grid.tsx";
import type { MemoryState } from "./state.ts";
import { Filter, ForgetAbout, MemoryActions, Tabs } from "./toolbar.tsx";

const NOTHING = {
  episodes: "Nothing is remembered yet. Every turn is, once it has ended.",
  facts: "No facts are known yet. They are learnt from what you say.",
  people: "Nobody and nothing is known by name yet.",
  relationships: "No relationships are known yet.",
  resources: "No pages or files were kept yet.",
  moments: "No moments were kept yet. An agent keeps what is worth coming back to.",
} as const;

function emptyWords(memory: MemoryState): string | undefined {
  if (memory.total === undefined) return "Reading …";
  if (memory.total > 0) return undefined;
  const { filter, days } = memory.tab;
  const isTimed = days.from !== "" || days.to !== "";
  const narrowed = filter.trim() !== "" || isTimed || memory.here || memory.onlyCurrent;
  return narrowed ? "Nothing matches." : NOTHING[memory.table];
}

/** Everything that is remembered: to look at, to correct, to pin and to forget. */
export function MemoryView({ store }: { readonly store: Store }): VNode {
  const { memory } = store;
  const [about, setAbout] = useState(false);
  const empty = memory.failure === null ? emptyWords(memory) : undefined;
  return (
    <div class="memory" role="region" aria-label="Memory">
      <div class="memory-bar">
        <Tabs memory={memory} />
        <MemoryActions memory={memory} onAbout={() => setAbout(!about)} />
      </div>
      {about ? <ForgetAbout memory={memory} onDone={() => setAbout(false)} /> : null}
      <Filter key={memory.table} store={store} />
      {memory.failure === null ? null : <FailureBox store={store} failure={memory.failure} />}
      <div
        id="memory-panel"
        class="memory-panel"
        role="tabpanel"
        aria-labelledby={`memory-tab-${memory.table}`}
      >
        {empty === undefined ? null : <p class="hint">{empty}</p>}
        {(memory.total ?? 0) > 0 ? <Grid key={memory.table} store={store} /> : null}
      </div>
      <Foot store={store} />
    </div>
  );
}

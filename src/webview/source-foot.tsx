import type { VNode } from "preact";
import type { PanelSource } from "../trace/panel-source.ts";
import { FailureBox } from "./cells/failure-box.tsx";
import { Icon, IconButton } from "./icon.tsx";
import type { Store } from "./store.ts";

/** How the file stands, in a few words. */
export function standingOf({ state, progress, notes }: PanelSource): string {
  if (state === "reading") return `reading, ${Math.floor(progress * 100)}%`;
  if (state === "gone") return "can't be read any more";
  if (state === "foreign") return "no trace";
  return notes.length === 0 ? "read only" : "read only, not all of it could be taken";
}

function Notes({ notes }: { readonly notes: readonly string[] }): VNode | null {
  if (notes.length === 0) return null;
  return (
    <details class="source-notes">
      <summary>
        <Icon name="warning" tone="warning" /> {notes.length === 1 ? "1 note" : `${notes.length} notes`} on
        this file
      </summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}

/** Exports the session that is shown; where none is, the editor asks which. */
function exportShown(store: Store): void {
  const { selected } = store;
  store.send({
    type: "source",
    action: "export",
    ...(selected !== null && { sessionId: selected.sessionId }),
  });
}

/** Where one asks otherwise: what is shown is a file, and what can be done with it. */
export function SourceFoot(props: { readonly store: Store; readonly source: PanelSource }): VNode {
  const { store, source } = props;
  return (
    <footer class="source-foot">
      {store.notice === undefined ? null : (
        <div class="notice" role="alert">
          <FailureBox store={store} failure={store.notice} />
          <IconButton icon="close" label="Dismiss" onClick={() => store.dismiss()} />
        </div>
      )}
      <Notes notes={source.notes} />
      <div class="options">
        <Icon name="file" />
        <span class="ellipsis source-name" title={source.name}>
          {source.name}
        </span>
        <span class="dim">{standingOf(source)}</span>
        <span class="space" />
        <button
          type="button"
          class="secondary"
          onClick={() => store.send({ type: "source", action: "open_text" })}
        >
          Open as text
        </button>
        <button
          type="button"
          class="secondary"
          disabled={source.state !== "read"}
          title="Write the session that is shown as Markdown, HTML, OTLP or lines, after a look at what goes out"
          onClick={() => exportShown(store)}
        >
          Export
        </button>
        <button
          type="button"
          class="primary"
          disabled={source.state !== "read"}
          title="Take it into your own traces: then you can ask on, branch off and compare"
          onClick={() => store.send({ type: "source", action: "import" })}
        >
          Import
        </button>
      </div>
    </footer>
  );
}

/** What stands in the middle while no turn of the file is shown. */
export function SourceEmpty({ source }: { readonly source: PanelSource }): VNode {
  const { name, state, progress, notes } = source;
  const heads = {
    reading: `Reading ${name}`,
    read: name,
    foreign: `${name} holds no trace`,
    gone: `${name} can't be read`,
  };
  const words = {
    reading: "The first turns are listed as soon as they are found.",
    read: "Choose a turn to see how it went.",
    foreign: "None of its lines is an event of Conclave. Open it as text to see what it is.",
    gone: notes[0] ?? "",
  };
  return (
    <div class="empty" tabIndex={0} role="region" aria-label={heads[state]}>
      <h2>{heads[state]}</h2>
      <p class="dim">{words[state]}</p>
      {state === "reading" ? <progress max={1} value={progress} aria-label="How much is read" /> : null}
    </div>
  );
}

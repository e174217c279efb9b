import type { VNode } from "preact";
import type { CompactionCell, OutputCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { count } from "../format.ts";
import type { Store } from "../store.ts";
import { Markdown } from "./markdown.tsx";

const HOW: { readonly [how in CompactionCell["how"]]: string } = {
  results: "old results of tools were trimmed",
  thinking: "thinking of earlier steps was left out",
  summary: "earlier turns were summed up",
  turns: "the oldest turns were left out",
};

/** What was taken out of the context, on one line. */
export function compactionSummary(cell: CompactionCell): string {
  const what = Object.hasOwn(HOW, cell.how) ? HOW[cell.how] : cell.how;
  const { length } = cell.turns;
  const turns = length === 0 ? "" : `, ${count(length)} ${length === 1 ? "turn" : "turns"}`;
  // It could not be done: nothing was taken out.
  if (cell.error !== undefined && cell.how === "summary")
    return `earlier turns could not be summed up: ${cell.error.message}`;
  const undone = cell.restored === true ? " · taken back" : "";
  return `${what}${turns}: ${count(cell.before)} to ${count(cell.after)} tokens${undone}`;
}

/** What stands in the place of what was taken out; a summary can be taken back. */
export function CompactionBody(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: CompactionCell;
}): VNode {
  const { store, turn, cell } = props;
  if (cell.summary === undefined)
    return <p class="dim">{cell.error?.message ?? "Nothing stands in its place."}</p>;
  return (
    <>
      <div class="block-label">
        What stands in its place{cell.model === undefined ? "" : `, by ${cell.model}`}
      </div>
      <Markdown text={cell.summary} complete />
      {cell.restored === true ? (
        <p class="dim">It was taken back: later questions are sent with the turns themselves.</p>
      ) : store.readOnly ? null : (
        <button
          type="button"
          class="secondary"
          title="Later questions are sent with the turns themselves again"
          onClick={() => store.send({ type: "restore_context", sessionId: turn.sessionId })}
        >
          Undo the summary
        </button>
      )}
    </>
  );
}

/** Whether the output was valid, on one line. */
export function outputSummary(cell: OutputCell): string {
  if (cell.error !== undefined) return cell.error.message;
  return cell.repaired ? "valid, after it was asked once more" : "valid";
}

/** The object, and what it was checked against. */
export function OutputBody({ cell }: { readonly cell: OutputCell }): VNode {
  return (
    <>
      {cell.value === undefined ? null : (
        <pre tabIndex={0} aria-label="Output">
          {JSON.stringify(cell.value, null, 2)}
        </pre>
      )}
      <details>
        <summary class="dim">Its schema</summary>
        <pre tabIndex={0} aria-label="Schema of the output">
          {JSON.stringify(cell.schema, null, 2)}
        </pre>
      </details>
    </>
  );
}

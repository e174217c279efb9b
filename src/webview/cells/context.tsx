import type { VNode } from "preact";
import type { CompactionCell, OutputCell } from "../../trace/model.ts";
import { count } from "../format.ts";
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
  const turns = cell.turns.length === 0 ? "" : `, ${count(cell.turns.length)} turns`;
  return `${what}${turns}: ${count(cell.before)} to ${count(cell.after)} tokens`;
}

/** What stands in the place of what was taken out. */
export function CompactionBody({ cell }: { readonly cell: CompactionCell }): VNode {
  if (cell.summary === undefined)
    return <p class="dim">{cell.error?.message ?? "Nothing stands in its place."}</p>;
  return (
    <>
      <div class="block-label">
        What stands in its place{cell.model === undefined ? "" : `, by ${cell.model}`}
      </div>
      <Markdown text={cell.summary} complete />
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

import type { VNode } from "preact";
import type { ModelCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { bytes, count, duration, elapsed, tokenCount } from "../format.ts";
import type { Store } from "../store.ts";
import { RequestBody } from "../request/request-body.tsx";

/** What a model that says nothing yet is doing, as far as is known. */
function waitingFor(store: Store, cell: ModelCell, now: number): string {
  const time = elapsed(now - cell.start);
  const { loading } = store.shown;
  if (loading === undefined) return `Waiting for ${cell.model}, ${time}`;
  const size = loading.sizeBytes === null ? "" : ` (${bytes(loading.sizeBytes)})`;
  return `Loading ${loading.model}${size}, ${time}`;
}

/** The summary of a model call's head line. */
export function modelSummary(store: Store, cell: ModelCell, now: number): string {
  if (cell.status === "running" && cell.children.length === 0) return waitingFor(store, cell, now);
  const tokens =
    cell.inputTokens === undefined
      ? undefined
      : `${count(cell.inputTokens)} in / ${count(cell.outputTokens ?? 0)} out`;
  const protocol = cell.protocol === undefined || cell.protocol === "native" ? undefined : cell.protocol;
  return [cell.model, tokens, protocol, cell.error?.message].filter((part) => part !== undefined).join(" · ");
}

function figuresOf(cell: ModelCell): readonly (readonly [string, string])[] {
  const speed =
    cell.generationMs !== undefined && cell.generationMs > 0 && cell.outputTokens !== undefined
      ? `${(cell.outputTokens / (cell.generationMs / 1000)).toFixed(1)} tokens/s`
      : undefined;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["provider", cell.provider],
    ["context", tokenCount(cell.contextLength)],
    ["tools by", cell.protocol],
    ["loading", cell.loadMs === undefined ? undefined : duration(cell.loadMs)],
    ["prompt", cell.promptMs === undefined ? undefined : duration(cell.promptMs)],
    ["first text after", cell.firstChunkMs === undefined ? undefined : duration(cell.firstChunkMs)],
    ["generation", cell.generationMs === undefined ? undefined : duration(cell.generationMs)],
    ["speed", speed],
    ["ended by", cell.finishReasons.length === 0 ? undefined : cell.finishReasons.join(", ")],
    ["calls found in", cell.recoveredFrom],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== "");
}

/** What a model call cost, and exactly what the model was given. */
export function ModelBody(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: ModelCell;
}): VNode {
  const { store, turn, cell } = props;
  return (
    <>
      <dl class="figures">
        {figuresOf(cell).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <RequestBody store={store} turn={turn} model={cell} />
    </>
  );
}

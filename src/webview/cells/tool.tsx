import type { VNode } from "preact";
import type { Json } from "../../agent/models/types.ts";
import type { ToolCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { actionLabel } from "../actions.ts";
import type { Store } from "../store.ts";
import { LongText } from "./long-text.tsx";
import { RecalledTable, recalledOf } from "./recalled.tsx";

const MAX_ARGUMENTS = 120;

/** Arguments on one line: the first text, which is what a tool is asked; anything else as JSON. */
function argumentsLine(value: Json): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const all = Object.values(value);
  const asked = all.find((each): each is string => typeof each === "string");
  if (asked === undefined) return all.length === 0 ? "" : JSON.stringify(value);
  return /^https?:\/\//.test(asked) ? asked.replace(/^https?:\/\//, "") : `"${asked}"`;
}

/** The summary of a tool's head line: what it was asked, and what came of it. */
export function toolSummary(cell: ToolCell): string {
  const asked = argumentsLine(cell.arguments).slice(0, MAX_ARGUMENTS);
  const came = cell.error === undefined ? cell.details?.summary : cell.error.message;
  const tries = cell.attempts > 1 ? `${cell.attempts} tries` : undefined;
  return [asked, came, tries].filter((part) => part !== undefined && part !== "").join(" · ");
}

/** Whether a tool's cell is open before the user says otherwise: recalled memories are, as a short table. */
export function toolOpensByItself(cell: ToolCell): boolean {
  return cell.name === "search_memory" && recalledOf(cell).length > 0;
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}

function ToolProblem({ store, cell }: { readonly store: Store; readonly cell: ToolCell }): VNode | null {
  const { error } = cell;
  if (error === undefined) return null;
  const label = actionLabel(error);
  return (
    <div class="problem">
      <span>{error.message}</span>
      {label === undefined || error.action === "retry" || store.readOnly ? null : (
        <button type="button" class="secondary" onClick={() => store.act(error)}>
          {label}
        </button>
      )}
    </div>
  );
}

/** What a tool was given, what the model was given for it, and what only people are shown. */
export function ToolBody(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: ToolCell;
  readonly now: number;
}): VNode {
  const { store, turn, cell } = props;
  const isOurs = !store.readOnly && turn.imported === undefined;
  const rows = cell.name === "search_memory" ? recalledOf(cell) : [];
  const full = store.isOpen(`${cell.id} full`, rows.length === 0);
  return (
    <>
      {rows.length > 0 ? (
        <RecalledTable rows={rows} now={props.now} {...(isOurs && { show: (from) => store.select(from) })}>
          <button
            type="button"
            class="quiet hover-only"
            aria-expanded={full}
            onClick={() => store.fold(`${cell.id} full`, !full)}
          >
            {full ? "less" : "arguments and result"}
          </button>
        </RecalledTable>
      ) : null}
      <ToolProblem store={store} cell={cell} />
      {cell.mended.length > 0 ? <div class="dim">Mended: {cell.mended.join("; ")}</div> : null}
      {cell.recoveredFrom === undefined ? null : (
        <div class="dim">The call was recovered from the model's {cell.recoveredFrom}.</div>
      )}
      {full ? <Whole store={store} cell={cell} table={rows.length > 0} /> : null}
    </>
  );
}

function Whole(props: { readonly store: Store; readonly cell: ToolCell; readonly table: boolean }): VNode {
  const { store, cell } = props;
  const data = cell.details?.data;
  return (
    <>
      <LongText
        store={store}
        cellId={cell.id}
        field="arguments"
        text={pretty(cell.arguments)}
        label="Arguments"
      />
      {cell.result === undefined ? null : (
        <LongText
          store={store}
          cellId={cell.id}
          field="result"
          text={cell.result}
          label="Result, as the model was given it"
        />
      )}
      {data === undefined || props.table ? null : (
        <LongText
          store={store}
          cellId={cell.id}
          field="details"
          text={pretty(data)}
          label="Details, not shown to the model"
        />
      )}
    </>
  );
}

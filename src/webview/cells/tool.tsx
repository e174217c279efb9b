import type { VNode } from "preact";
import { isJsonObject } from "../../agent/json.ts";
import type { Json } from "../../agent/models/types.ts";
import { cutAtGrapheme } from "../../agent/text.ts";
import type { AgentCell, ToolCell } from "../../trace/cells.ts";
import { agentName, type TurnModel } from "../../trace/model.ts";
import { actionLabel } from "../actions.ts";
import { isolated, tokenCount } from "../format.ts";
import { WhyRecalled } from "../memory/why.tsx";
import { askedBy, opensBelow } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import { LongText } from "./long-text.tsx";
import { RecalledTable, recalledOf } from "./recalled.tsx";
import { Sources } from "./sources.tsx";

const MAX_ARGUMENTS = 120;

/** What of an argument stands on the line: a text, or texts side by side. */
function textOf(value: Json): string | undefined {
  if (typeof value === "string") return value;
  const isList = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
  return isList ? value.join(", ") : undefined;
}

/** Arguments on one line: the first text, which is what a tool is asked; anything else as JSON. */
function argumentsLine(value: Json): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const all = Object.values(value);
  const asked = all.map(textOf).find((text) => text !== undefined);
  if (asked === undefined) return all.length === 0 ? "" : JSON.stringify(value);
  return /^https?:\/\//.test(asked) ? asked.replace(/^https?:\/\//, "") : `"${asked}"`;
}

/** What another agent was asked, on one line; undefined where the call asked nobody. */
function questionLine(turn: TurnModel, cell: ToolCell): string | undefined {
  const agent = askedBy(turn, cell);
  const question = isJsonObject(cell.arguments) ? cell.arguments["question"] : undefined;
  if (agent === undefined) return undefined;
  return typeof question === "string" ? `${agentName(agent)}: "${question}"` : undefined;
}

/** What those who were asked cost together, those they asked themselves included. */
function tokensUnder(turn: TurnModel, ids: readonly string[]): number {
  return ids.reduce((sum, id) => {
    const cell = turn.cells.get(id);
    if (cell === undefined) return sum;
    const own = cell.kind === "agent" ? cell.inputTokens + cell.outputTokens : 0;
    return sum + own + tokensUnder(turn, cell.children);
  }, 0);
}

/**
 * The summary of a tool's head line: what it was asked, and what came of it.
 *
 * @param turn the turn that the call is of; with it, what another agent was asked, and what its answer cost
 */
export function toolSummary(cell: ToolCell, turn?: TurnModel): string {
  const question = turn && questionLine(turn, cell);
  const asked = isolated(cutAtGrapheme(question ?? argumentsLine(cell.arguments), MAX_ARGUMENTS));
  const tokens = turn === undefined || question === undefined ? 0 : tokensUnder(turn, cell.children);
  // Who answered is said already, and what stands under it says the rest.
  const came = cell.error?.message ?? (question === undefined ? cell.details?.summary : undefined);
  const tries = cell.attempts > 1 ? `${cell.attempts} tries` : undefined;
  return [asked, came, tokens > 0 ? tokenCount(tokens) : undefined, tries]
    .filter((part) => part !== undefined && part !== "")
    .join(" · ");
}

/** Whether a tool's cell is open before the user says otherwise: recalled memories are, and what others were asked. */
export function toolOpensByItself(cell: ToolCell): boolean {
  return opensBelow(cell) || recalledOf(cell).length > 0;
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
  const rows = recalledOf(cell);
  const asked = askedBy(turn, cell);
  const full = store.isOpen(`${cell.id} full`, rows.length === 0 && asked === undefined);
  const more = (
    <button
      type="button"
      class={rows.length > 0 ? "quiet hover-only" : "quiet"}
      aria-expanded={full}
      onClick={() => store.fold(`${cell.id} full`, !full)}
    >
      {full ? "less" : "arguments and result"}
    </button>
  );
  return (
    <>
      {rows.length > 0 ? (
        <RecalledTable
          rows={rows}
          now={props.now}
          {...(isOurs && { show: (from) => store.select(from) })}
          why={{
            isOpen: (row) => store.folds.isOpened(`why ${cell.id} ${row}`),
            toggle: (row) =>
              store.fold(`why ${cell.id} ${row}`, !store.folds.isOpened(`why ${cell.id} ${row}`)),
            explain: ({ score, parts, why }) => (
              <WhyRecalled score={{ value: score ?? 0, parts }} about={{}} sentence={why} />
            ),
          }}
        >
          {more}
        </RecalledTable>
      ) : null}
      {asked === undefined ? null : (
        <Asked turn={turn} agent={asked}>
          {more}
        </Asked>
      )}
      <ToolProblem store={store} cell={cell} />
      <Sources of={cell.details?.sources ?? []} />
      {cell.mended.length > 0 ? <div class="dim">Mended: {cell.mended.join("; ")}</div> : null}
      {cell.recoveredFrom === undefined ? null : (
        <div class="dim">The call was recovered from the model's {cell.recoveredFrom}.</div>
      )}
      {full ? <Whole store={store} cell={cell} table={rows.length > 0} /> : null}
    </>
  );
}

/** Who was asked by a call: with which model, and in how many steps it answered. Its work stands below. */
function Asked(props: {
  readonly turn: TurnModel;
  readonly agent: AgentCell;
  readonly children: VNode;
}): VNode {
  const { turn, agent } = props;
  const steps = agent.children.filter((id) => turn.cells.get(id)?.kind === "step").length;
  const words = [
    agent.model,
    `${steps} ${steps === 1 ? "step" : "steps"}`,
    ...(agent.toolCalls > 0 ? [`${agent.toolCalls} ${agent.toolCalls === 1 ? "call" : "calls"}`] : []),
    ...(agent.error === undefined ? [] : [agent.error.message]),
  ];
  return (
    <div class="asked dim">
      <span>{words.join(" · ")}</span>
      {props.children}
    </div>
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

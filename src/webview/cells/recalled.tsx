import type { ComponentChildren, VNode } from "preact";
import { Fragment } from "preact";
import { isJsonObject } from "../../agent/json.ts";
import type { Json, JsonObject } from "../../agent/models/types.ts";
import type { ToolCell } from "../../trace/cells.ts";
import type { TurnName } from "../compare/state.ts";
import { when } from "../format.ts";
import { ScoreBar } from "../score-bar.tsx";
import { toolLook } from "../tool-icons.ts";

/** A memory that was given to the model, and why. */
export interface Recalled {
  /** What it is, where it is no earlier turn: `fact`, `page`; else empty. */
  readonly kind: string;
  readonly text: string;
  readonly time: number | undefined;
  /** Undefined where it was not found by a score, such as by a walk through the graph. */
  readonly score: number | undefined;
  readonly parts: { readonly [part: string]: number };
  /** In a sentence; empty where the trace does not say. */
  readonly why: string;
  /** The turn that it comes from; undefined where the trace does not say. */
  readonly from: TurnName | undefined;
}

const MAX_ROWS = 50;
/** A score has no more parts than this. */
const MAX_PARTS = 32;
const MAX_TEXT = 240;

/** The lists in which the tools of memory give what they found, and what each holds where its rows do not say. */
const LISTS: readonly (readonly [field: string, kind: string])[] = [
  ["hits", ""],
  ["facts", "fact"],
  ["lines", "relationship"],
  ["moments", "moment"],
];

/** What the types of memory are called. */
const KINDS: { readonly [type: string]: string } = { episode: "", resource: "page" };

function numbersOf(value: Json | undefined): { readonly [part: string]: number } {
  if (!isJsonObject(value)) return {};
  const numbers = Object.entries(value).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  return Object.fromEntries(numbers.slice(0, MAX_PARTS));
}

/** The first of some texts that says something. */
function firstText(...values: readonly (Json | undefined)[]): string {
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? "";
}

function firstNumber(...values: readonly (Json | undefined)[]): number | undefined {
  return values.find((value): value is number => typeof value === "number" && Number.isFinite(value));
}

/** The turn that a row names, itself or as its source. */
function turnOf(row: JsonObject): TurnName | undefined {
  const { sessionId, turnId, source } = row;
  if (typeof sessionId === "string" && typeof turnId === "string") return { sessionId, turnId };
  return isJsonObject(source) ? turnOf({ ...source, source: null }) : undefined;
}

/** Why a row was given that was found in the graph: how far it is from who or what was asked about. */
function hopsOf({ hops }: JsonObject): string {
  if (typeof hops !== "number") return "";
  return hops <= 1 ? "next to it" : `${hops} steps away`;
}

function readRow(row: Json, kind: string): readonly Recalled[] {
  if (!isJsonObject(row)) return [];
  const text = firstText(row["answer"], row["title"], row["text"], row["question"]);
  if (text === "") return [];
  const type = firstText(row["type"]);
  const told = kind === "" ? (Object.hasOwn(KINDS, type) ? (KINDS[type] ?? "") : type) : kind;
  return [
    {
      kind: told,
      text: text.slice(0, MAX_TEXT),
      time: firstNumber(row["time"], row["from"], row["validFrom"]),
      score: firstNumber(row["score"]),
      parts: numbersOf(row["parts"]),
      why: firstText(row["why"], hopsOf(row)),
      from: turnOf(row),
    },
  ];
}

/** What a tool of memory found, best first; empty when its details hold nothing of it. */
export function recalledOf(cell: ToolCell): readonly Recalled[] {
  const data = cell.details?.data;
  if (data === undefined || toolLook(cell.name).tone !== "memory") return [];
  const rows = LISTS.flatMap(([field, kind]) => {
    const list = data[field];
    return Array.isArray(list)
      ? (list as readonly Json[]).slice(0, MAX_ROWS).flatMap((row) => readRow(row, kind))
      : [];
  });
  // They may have been given in another order, such as that of time.
  return rows.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1)).slice(0, MAX_ROWS);
}

/** What was recalled, when it is from, and why: the parts of its score side by side; in words when it is laid open. */
export function RecalledTable(props: {
  readonly rows: readonly Recalled[];
  readonly now: number;
  /** Shows the turn that a memory comes from; left out: that can't be shown. */
  readonly show?: (turn: TurnName) => void;
  /** What lays open why a row was recalled; left out: the bars say it. */
  readonly why?: {
    readonly isOpen: (row: number) => boolean;
    readonly toggle: (row: number) => void;
    readonly explain: (row: Recalled) => VNode;
  };
  /** An action, beside the first head. */
  readonly children: ComponentChildren;
}): VNode {
  const { rows, now, show, why } = props;
  return (
    <table class="recalled">
      <thead>
        <tr>
          <th scope="col">Remembered {props.children}</th>
          <th scope="col">When</th>
          <th scope="col">Why recalled</th>
          <th scope="col" class="num">
            Score
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Fragment key={index}>
            <tr>
              <td class="ellipsis" title={row.text}>
                {row.kind === "" ? null : <span class="dim">{row.kind} </span>}
                <FromTurn row={row} show={show} />
              </td>
              <td class="dim nowrap">{row.time === undefined ? "" : when(row.time, now)}</td>
              <td>
                <Why row={row} open={why?.isOpen(index) === true} toggle={why && (() => why.toggle(index))} />
              </td>
              <td class="num">{row.score?.toFixed(2) ?? ""}</td>
            </tr>
            {why?.isOpen(index) === true ? (
              <tr>
                <td colSpan={4}>{why.explain(row)}</td>
              </tr>
            ) : null}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** Why a row was recalled: its bar, which lays it open in words; a sentence where there is no score. */
function Why(props: {
  readonly row: Recalled;
  readonly open: boolean;
  readonly toggle: (() => void) | undefined;
}): VNode {
  const { row, open, toggle } = props;
  const { score, parts, why } = row;
  if (score === undefined || Object.keys(parts).length === 0)
    return (
      <span class="dim ellipsis" title={why}>
        {why}
      </span>
    );
  const bar = <ScoreBar score={score} parts={parts} why={why} />;
  if (toggle === undefined) return bar;
  return (
    <button type="button" class="why-button" aria-expanded={open} onClick={toggle}>
      {bar}
      <span class="sr-only">: why it was recalled</span>
    </button>
  );
}

/** What was remembered; it leads to the turn in which it was said. */
function FromTurn(props: {
  readonly row: Recalled;
  readonly show: ((turn: TurnName) => void) | undefined;
}): VNode {
  const { row, show } = props;
  const { text, from } = row;
  if (from === undefined || show === undefined) return <>{text}</>;
  return (
    <button
      type="button"
      class="from-turn"
      title={`${text}\n\nShow the turn that it comes from`}
      onClick={() => show(from)}
    >
      {text}
      <span class="sr-only">: show the turn that it comes from</span>
    </button>
  );
}

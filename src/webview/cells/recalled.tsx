import type { ComponentChildren, VNode } from "preact";
import type { Json } from "../../agent/models/types.ts";
import type { ToolCell } from "../../trace/cells.ts";
import type { TurnName } from "../compare/state.ts";
import { when } from "../format.ts";
import { ScoreBar } from "../score-bar.tsx";

/** A memory that was given to the model, and why. */
interface Recalled {
  readonly text: string;
  readonly time: number | undefined;
  readonly score: number;
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

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numbersOf(value: Json | undefined): { readonly [part: string]: number } {
  if (!isObject(value)) return {};
  const numbers = Object.entries(value).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  return Object.fromEntries(numbers.slice(0, MAX_PARTS));
}

function readHit(hit: Json): readonly Recalled[] {
  if (!isObject(hit)) return [];
  const { question, answer, time, score, parts, why, sessionId, turnId } = hit;
  const asked = typeof question === "string" ? question : "";
  const said = typeof answer === "string" ? answer : "";
  const text = said === "" ? asked : said;
  if (text === "") return [];
  return [
    {
      text: text.slice(0, MAX_TEXT),
      time: typeof time === "number" ? time : undefined,
      score: typeof score === "number" ? score : 0,
      parts: numbersOf(parts),
      why: typeof why === "string" ? why : "",
      from: typeof sessionId === "string" && typeof turnId === "string" ? { sessionId, turnId } : undefined,
    },
  ];
}

/** The memories of a `search_memory` call, best first; empty when its details hold none. */
export function recalledOf(cell: ToolCell): readonly Recalled[] {
  const hits = cell.details?.data?.["hits"];
  if (!Array.isArray(hits)) return [];
  const rows = (hits as readonly Json[]).slice(0, MAX_ROWS).flatMap(readHit);
  // They may have been given in another order, such as that of time.
  return rows.toSorted((a, b) => b.score - a.score);
}

/** What was recalled, when it is from, and why: the parts of its score side by side. */
export function RecalledTable(props: {
  readonly rows: readonly Recalled[];
  readonly now: number;
  /** Shows the turn that a memory comes from; left out: that can't be shown. */
  readonly show?: (turn: TurnName) => void;
  /** An action, beside the first head. */
  readonly children: ComponentChildren;
}): VNode {
  const { rows, now, show } = props;
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
          <tr key={index}>
            <td class="ellipsis" title={row.text}>
              <FromTurn row={row} show={show} />
            </td>
            <td class="dim nowrap">{row.time === undefined ? "" : when(row.time, now)}</td>
            <td>
              <ScoreBar score={row.score} parts={row.parts} why={row.why} />
            </td>
            <td class="num">{row.score.toFixed(2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
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

import type { ComponentChildren, VNode } from "preact";
import type { Cell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { BranchWord } from "../fork/notes.tsx";
import { duration, elapsed } from "../format.ts";
import { Icon } from "../icon.tsx";

/** What the meanings are coloured by; each also has an icon or a word. */
export type Tone = "thinking" | "tool" | "memory" | "model" | "answer" | "error" | "warning";

/** When in the turn a cell ran, as a small bar. */
export function TimeBar(props: {
  readonly turn: TurnModel;
  readonly cell: Cell;
  readonly now: number;
  readonly tone: Tone;
}): VNode {
  const { turn, cell, now } = props;
  const whole = Math.max(1, (turn.end ?? now) - turn.start);
  const left = Math.min(98, Math.max(0, ((cell.start - turn.start) / whole) * 100));
  const width = Math.min(100 - left, Math.max(2, (((cell.end ?? now) - cell.start) / whole) * 100));
  return (
    <span class="bar" aria-hidden="true">
      <i class={`fill-${props.tone}`} style={{ left: `${left}%`, width: `${width}%` }} />
    </span>
  );
}

/** How long a cell took, or takes. */
export function timeOf(cell: Cell, now: number): string {
  // These happen at one moment.
  if (cell.kind === "compaction" || cell.kind === "output") return "";
  if (cell.status === "running") return elapsed(now - cell.start);
  // What a branch took over took its time then.
  if (cell.replays !== undefined) return "durationMs" in cell ? duration(cell.durationMs ?? 0) : "";
  return cell.end === undefined ? "" : duration(cell.end - cell.start);
}

/** Says in a word how a cell ended, when it did not simply end. */
export function StatusWord({ cell }: { readonly cell: Cell }): VNode | null {
  if (cell.status === "failed") return <span class="word tone-error">failed</span>;
  if (cell.status === "cancelled") return <span class="word dim">cancelled</span>;
  if (cell.status === "interrupted") return <span class="word dim">interrupted</span>;
  return null;
}

/** The head line of a cell: one line, and all there is of a folded cell. */
export function Head(props: {
  readonly turn: TurnModel;
  readonly cell: Cell;
  readonly now: number;
  readonly icon: string;
  readonly tone: Tone;
  readonly what: string;
  readonly summary: string;
  /** The end of the summary is what is seen of it where there is no room for all. */
  readonly tail?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  const { turn, cell, now } = props;
  const time = timeOf(cell, now);
  return (
    <>
      <Icon
        name={cell.status === "failed" ? "error" : props.icon}
        tone={cell.status === "failed" ? "error" : props.tone}
      />
      <span class="what">{props.what}</span>
      <StatusWord cell={cell} />
      <BranchWord turn={turn} cell={cell} />
      {props.children}
      <span class={props.tail === true ? "summary tail" : "summary"}>
        <span>{props.summary}</span>
      </span>
      {time === "" ? null : <TimeBar turn={turn} cell={cell} now={now} tone={props.tone} />}
      <span class="time">{time}</span>
    </>
  );
}

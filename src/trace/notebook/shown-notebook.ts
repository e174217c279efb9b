import type { NotebookEntry } from "./cell-lines.ts";
import { entryText, layoutOf, visible } from "./layout.ts";
import { turnLines, type LogBytes } from "./log-bytes.ts";
import { eventsOf, TURN_OUTPUT_LIMIT, turnOutput } from "./make-output.ts";
import type { TurnOutput } from "./turn-output.ts";

/** The most cells that are shown: an editor is slow with more. The newest are. */
export const MAX_CELLS = 200;
/** What all outputs of a notebook take together, in UTF-16 units; the newest come first. */
const ALL_OUTPUTS = 8 * 1024 * 1024;
/** Each output has this much at least. */
const LEAST_OUTPUT = 8 * 1024;

/** A cell as an editor shows it. */
export type ShownNotebookCell =
  | { readonly kind: "question"; readonly text: string; readonly output?: TurnOutput }
  | { readonly kind: "markdown"; readonly text: string }
  /** What there is to know of the file: it is shown, and never saved. */
  | { readonly kind: "notice"; readonly text: string };

/** What of a log is shown, and how much at its beginning is not. */
export interface ShownNotebook {
  readonly cells: readonly ShownNotebookCell[];
  /** Cells that stand before the first one shown. */
  readonly unshown: number;
}

/** A log as the cells of a notebook. Undefined when cancelled. */
export async function showNotebook(log: LogBytes, signal?: AbortSignal): Promise<ShownNotebook | undefined> {
  const entries = visible(layoutOf(log));
  const unshown = Math.max(0, entries.length - MAX_CELLS);
  const shown: ShownNotebookCell[] = [];
  let room = ALL_OUTPUTS;
  for (const entry of entries.slice(unshown).reverse()) {
    const limit = Math.max(LEAST_OUTPUT, Math.min(TURN_OUTPUT_LIMIT, room));
    const cell = cellOf(log, entry, limit);
    if (cell.kind === "question" && cell.output !== undefined) room -= JSON.stringify(cell.output).length;
    shown.unshift(cell);
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted === true) return undefined;
  }
  const notice = noticeOf(log, unshown);
  return { cells: notice === "" ? shown : [{ kind: "notice", text: notice }, ...shown], unshown };
}

function cellOf(log: LogBytes, entry: NotebookEntry, limit: number): ShownNotebookCell {
  const text = entryText(entry, log.turns);
  if (entry.cell === "markdown") return { kind: "markdown", text };
  if (entry.cell !== "turn") return { kind: "question", text };
  const turn = log.turns.get(entry.turn);
  if (turn === undefined) return { kind: "question", text };
  const events = eventsOf(turnLines(log, turn.turnId));
  const asked = entry.text === undefined ? {} : { asked: turn.question ?? "" };
  const { sessionId, turnId } = turn;
  return { kind: "question", text, output: turnOutput({ sessionId, turnId, events, limit, ...asked }) };
}

/** What there is to know of a file before reading it; empty when there is nothing. */
export function noticeOf({ conflict, unread }: LogBytes, unshown: number): string {
  const lines = [
    ...(conflict
      ? ["This file holds the marks of a merge that is not resolved. Open it as text to resolve it."]
      : []),
    ...(unread > 0
      ? [`${unread} ${unread === 1 ? "line" : "lines"} can't be read. They stay in the file.`]
      : []),
    ...(unshown > 0
      ? [
          `${unshown} earlier ${unshown === 1 ? "cell is" : "cells are"} not shown here. They stay in the file.`,
        ]
      : []),
  ];
  return lines.join("\n\n");
}

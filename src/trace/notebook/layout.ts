import type { NotebookEntry } from "./cell-lines.ts";
import { shownText } from "./shown-text.ts";

/** What a layout asks of a turn: its question as a cell shows it, and whether it began in the log. */
export interface TurnOfLayout {
  readonly question?: string;
  readonly began: boolean;
}

/** The turns of a log by their ids, in order. */
export type LayoutTurns = ReadonlyMap<string, TurnOfLayout>;

/** What a log shows by itself: a cell for each turn that began in it, in order. */
export function plainLayout(turns: LayoutTurns): readonly NotebookEntry[] {
  return [...turns].flatMap(([turn, { began }]) => (began ? [{ cell: "turn", turn } as const] : []));
}

/**
 * The cells of a log: those that its lines say, then the turns that they don't speak of. A turn has one cell, so that
 * what a merge doubled stands there once; a cell of a turn that the log lacks is a question that was not asked.
 */
export function layoutOf(log: {
  readonly entries: readonly NotebookEntry[];
  readonly turns: LayoutTurns;
}): readonly NotebookEntry[] {
  const { entries, turns } = log;
  const spoken = new Set<string>();
  const cells: NotebookEntry[] = [];
  for (const entry of entries) {
    if (entry.cell === "question" || entry.cell === "markdown") {
      cells.push(entry);
      continue;
    }
    if (spoken.has(entry.turn)) continue;
    if (turns.get(entry.turn)?.began === true) {
      spoken.add(entry.turn);
      cells.push(entry);
    } else if (entry.cell === "turn" && entry.text !== undefined)
      cells.push({ cell: "question", text: entry.text });
  }
  return [...cells, ...plainLayout(turns).filter((entry) => "turn" in entry && !spoken.has(entry.turn))];
}

/** The text that a cell shows. */
export function entryText(entry: NotebookEntry, turns: LayoutTurns): string {
  if (entry.cell === "hidden") return "";
  if (entry.cell === "turn") return shownText(entry.text ?? turns.get(entry.turn)?.question ?? "");
  return shownText(entry.text);
}

/** Whether two layouts show the same cells in the same order. Turns without a cell are passed over. */
export function sameLayout(
  one: readonly NotebookEntry[],
  other: readonly NotebookEntry[],
  turns: LayoutTurns,
): boolean {
  const [first, second] = [visible(one), visible(other)];
  return first.length === second.length && first.every((entry, at) => sameEntry(entry, second[at], turns));
}

/** The entries that are cells. */
export function visible(entries: readonly NotebookEntry[]): readonly NotebookEntry[] {
  return entries.filter(({ cell }) => cell !== "hidden");
}

function sameEntry(one: NotebookEntry, other: NotebookEntry | undefined, turns: LayoutTurns): boolean {
  if (other === undefined || one.cell !== other.cell) return false;
  const sameTurn = !("turn" in one) || !("turn" in other) || one.turn === other.turn;
  return sameTurn && entryText(one, turns) === entryText(other, turns);
}

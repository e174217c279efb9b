import { sessionLine } from "../session-line.ts";
import { entryLine, type NotebookEntry } from "./cell-lines.ts";
import { layoutOf, plainLayout, sameLayout, visible, type LayoutTurns, type TurnOfLayout } from "./layout.ts";
import { lineBytes, turnLines, type LogBytes } from "./log-bytes.ts";
import { shownText } from "./shown-text.ts";

const LINE_FEED = 0x0a;

/** A cell as an editor gives it back. Notices are left out by whoever calls. */
export type EditedCell =
  | { readonly kind: "question"; readonly text: string; readonly turn?: string }
  | { readonly kind: "markdown"; readonly text: string };

/** A turn that a notebook ran, as the lines of its log. */
export interface AddedTurn {
  readonly turnId: string;
  /** As the editor shows it. */
  readonly question: string;
  /** Without line feeds. */
  readonly lines: readonly string[];
}

/** What a notebook holds when it is saved. */
export interface EditedNotebook {
  /** The log it was read from; nothing of it but its cells' lines is ever left out. */
  readonly log: LogBytes;
  /** How many cells at the beginning are not shown: they stay as they are. */
  readonly unshown: number;
  readonly cells: readonly EditedCell[];
  /** In the order in which they ran; of those that the log has already, what it lacks of them is added. */
  readonly added: readonly AddedTurn[];
  /** For a notebook that began empty. */
  readonly session: { readonly sessionId: string; readonly createdAt: number };
}

/**
 * A notebook as its log. Nothing edited: the very same bytes. Else all lines of the log, byte for byte, behind them the
 * turns that were added, and behind those what the cells are, where the turns alone don't say it.
 */
export function writeNotebook({ log, unshown, cells, added, session }: EditedNotebook): Uint8Array {
  const turns = new Map<string, TurnOfLayout>(log.turns);
  const fresh = added.filter(({ turnId }) => !turns.has(turnId));
  for (const { turnId, question } of fresh) turns.set(turnId, { question, began: true });
  const missing = added.flatMap((turn) => missingLines(log, turn));
  const before = layoutOf({ entries: log.entries, turns: log.turns });
  const after = [...visible(before).slice(0, unshown), ...entriesOf(cells, turns, wholeTexts(before))];
  if (missing.length === 0 && sameLayout(before, after, turns)) return log.bytes;
  const isPlain = sameLayout(after, plainLayout(turns), turns);
  const lines = [...missing, ...(isPlain ? [] : withHidden(after, plainLayout(turns)).map(entryLine))];
  const kept = withoutEntries(log);
  const first = kept.length === 0 ? sessionLine(session.sessionId, session.createdAt) : "";
  const gap = kept.length > 0 && kept.at(-1) !== LINE_FEED && lines.length > 0 ? "\n" : "";
  const text = first + gap + lines.map((line) => `${line}\n`).join("");
  return Buffer.concat([kept, Buffer.from(text, "utf8")]);
}

/** What of a turn the log lacks: all, or what came since it was saved, where the file was read anew while the turn ran. */
function missingLines(log: LogBytes, { turnId, lines }: AddedTurn): readonly string[] {
  const known = new Set(turnLines(log, turnId));
  return lines.filter((line) => !known.has(line));
}

/** Texts that cells show only the beginning of, by what they show: what was not changed is not cut by saving it. */
function wholeTexts(entries: readonly NotebookEntry[]): ReadonlyMap<string, string> {
  const texts = entries.flatMap((entry) => ("text" in entry ? [entry.text] : []));
  return new Map(texts.filter((text) => text !== shownText(text)).map((text) => [shownText(text), text]));
}

/** The cells as lines say them: a turn's own question is not said again, and a turn has one cell. */
function entriesOf(
  cells: readonly EditedCell[],
  turns: LayoutTurns,
  whole: ReadonlyMap<string, string>,
): readonly NotebookEntry[] {
  const spoken = new Set<string>();
  return cells.map((cell): NotebookEntry => {
    const text = whole.get(shownText(cell.text)) ?? cell.text;
    if (cell.kind === "markdown") return { cell: "markdown", text };
    const { turn } = cell;
    const known = turn === undefined ? undefined : turns.get(turn);
    if (turn === undefined || known?.began !== true || spoken.has(turn)) return { cell: "question", text };
    spoken.add(turn);
    return { cell: "turn", turn, ...(shownText(text) === (known.question ?? "") ? {} : { text }) };
  });
}

/** Says of each turn that has no cell that it has none. */
function withHidden(
  entries: readonly NotebookEntry[],
  all: readonly NotebookEntry[],
): readonly NotebookEntry[] {
  const shown = new Set(entries.flatMap((entry) => ("turn" in entry ? [entry.turn] : [])));
  const hidden = all.flatMap((entry) =>
    "turn" in entry && !shown.has(entry.turn) ? [{ cell: "hidden" as const, turn: entry.turn }] : [],
  );
  return [...entries, ...hidden];
}

/** All bytes but those of the lines that say cells. */
function withoutEntries(log: LogBytes): Uint8Array {
  if (log.entryLines.length === 0) return log.bytes;
  const cells = new Set(log.entryLines);
  const kept = log.starts.flatMap((_start, at) => (cells.has(at) ? [] : [lineBytes(log, at)]));
  return Buffer.concat(kept);
}

import type { MemoryHit } from "../../../agent/memory/port.ts";
import type { MemoryRows, MemoryTable } from "../../../agent/memory/types.ts";
import { cutAtGrapheme } from "../../../agent/text.ts";
import type { MemoryLine, MemoryScore } from "../../../trace/panel-memory.ts";
import { oneLine } from "../../../trace/text.ts";

/** JSON of the lines of one message at most, in bytes: leaves room for what stands around them. */
const MAX_BYTES = 200 * 1024;
/** Characters of each text of a line, tried one after the other until the page fits. */
const LINE_LENGTHS = [300, 120, 40, 8];
const WHOLE_LENGTHS = [60_000, 20_000, 4000, 400];
const LINE_ITEMS = 12;
const WHOLE_ITEMS = 200;
const MAX_PARTS = 32;
const MAX_DEPTH = 6;

interface Cutter {
  readonly text: (text: string) => string;
  readonly items: number;
  cut: boolean;
}

/** A copy of a row whose texts and lists are of bounded length. Says in the cutter whether something was left out. */
function shortened(value: unknown, cutter: Cutter, depth = 0): unknown {
  if (typeof value === "string") {
    const text = cutter.text(value);
    cutter.cut ||= text !== value;
    return text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) {
    cutter.cut = true;
    return null;
  }
  if (Array.isArray(value)) {
    cutter.cut ||= value.length > cutter.items;
    return value.slice(0, cutter.items).map((item) => shortened(item, cutter, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shortened(item, cutter, depth + 1)]),
  );
}

function lineOf<T extends MemoryTable>(table: T, row: MemoryRows[T], cutter: Cutter): MemoryLine {
  const short = shortened(row, cutter);
  // The copy has the row's shape: only the lengths differ.
  return { table, row: short, cut: cutter.cut } as unknown as MemoryLine;
}

function fits(lines: readonly MemoryLine[]): boolean {
  return Buffer.byteLength(JSON.stringify(lines)) <= MAX_BYTES;
}

/** Rows as a page of the view shows them: one line a text, all together small enough to be posted. */
export function pageLines<T extends MemoryTable>(
  table: T,
  rows: readonly MemoryRows[T][],
): readonly MemoryLine[] {
  let lines: readonly MemoryLine[] = [];
  for (const length of LINE_LENGTHS) {
    const text = (whole: string) => oneLine(whole, length);
    lines = rows.map((row) => lineOf(table, row, { text, items: LINE_ITEMS, cut: false }));
    if (fits(lines)) break;
  }
  return lines;
}

/** A row with all that it holds, as far as one message can carry it. */
export function wholeLine<T extends MemoryTable>(table: T, row: MemoryRows[T]): MemoryLine {
  let line: MemoryLine | undefined;
  for (const length of WHOLE_LENGTHS) {
    const text = (whole: string) => cutAtGrapheme(whole, length);
    line = lineOf(table, row, { text, items: WHOLE_ITEMS, cut: false });
    if (fits([line])) return line;
  }
  return line ?? pageLines(table, [row])[0] ?? lineOf(table, row, { text: String, items: 0, cut: false });
}

/** The value of a hit, and its parts by name. */
export function scoreOf(hit: MemoryHit): MemoryScore {
  const parts = Object.entries(hit.parts).filter(
    (entry): entry is [string, number] => entry[1] !== undefined && Number.isFinite(entry[1]),
  );
  return { value: hit.score, parts: Object.fromEntries(parts.slice(0, MAX_PARTS)) };
}

/** The hits of a ranked search as rows of the table of episodes. */
export function hitLines(hits: readonly MemoryHit[]): readonly MemoryLine[] {
  const rows = hits.map(({ episode, notes }) => ({ ...episode, notes: notes ?? {} }));
  return pageLines("episodes", rows).map((line, index) => withScore(line, hits[index]));
}

/** A line with what its hit says of it. */
export function withScore(line: MemoryLine, hit: MemoryHit | undefined): MemoryLine {
  return hit === undefined ? line : { ...line, score: scoreOf(hit) };
}

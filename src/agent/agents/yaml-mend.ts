import { mend, type Edit, type MendedText } from "./mended-text.ts";

/** A value that stands on one line behind the name of a field: indentation and dashes, name, gap, value, comment. */
const FIELD =
  /^(?<lead>[ ]*(?:- +)*)(?<name>[\p{L}_][\p{L}\p{N} _.-]*:[ \t]+)(?<value>\S(?:.*?\S)?)(?<rest>[ \t]*(?:[ \t]#.*)?)$/u;
/** Signs that can make YAML take a plain value for something else. */
const RISKY = /[:#[\]{}&*!|>'"%@`?,-]/u;
/** The head of a text of several lines, which goes on below. */
const BLOCK_HEAD = /^[|>][+-]?\d?[+-]?$/u;
/** Begins a text of several lines: how far it is indented must be left to it. */
const OPENS_BLOCK = /^[ \t]*(?:- +)*[^\s#].*:[ \t]+[|>][+-]?\d?[+-]?[ \t]*(?:[ \t]#.*)?$/u;

/** A longer line is left as it is: no value that is meant to be one line comes near it. */
const MAX_LINE = 4_000;

/** One value that was put in quotes; offsets in the text before. */
export interface Quoted {
  readonly from: number;
  readonly to: number;
  readonly value: string;
}

/** Puts the value of each line that holds one of some offsets in quotes, where it is one that quotes can help. */
export function quoteValues(
  before: MendedText,
  offsets: readonly number[],
): { readonly after: MendedText; readonly quoted: readonly Quoted[] } {
  const { text } = before;
  const lines = new Map<number, string>();
  for (const offset of offsets) {
    const start = text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1;
    const end = text.indexOf("\n", start);
    lines.set(start, text.slice(start, end < 0 ? text.length : end).replace(/\r$/u, ""));
  }
  const edits: Edit[] = [];
  const quoted: Quoted[] = [];
  for (const [start, line] of lines) {
    if (line.length > MAX_LINE) continue;
    const { lead = "", name = "", value = "" } = FIELD.exec(line)?.groups ?? {};
    if (value === "" || !RISKY.test(value) || BLOCK_HEAD.test(value)) continue;
    const from = start + lead.length + name.length;
    const to = from + value.length;
    edits.push({ at: from, remove: 0, insert: "'" }, { at: to, remove: 0, insert: "'" });
    for (const { index } of value.matchAll(/'/gu)) edits.push({ at: from + index, remove: 0, insert: "'" });
    quoted.push({ from, to, value });
  }
  return { after: edits.length === 0 ? before : mend(before, edits), quoted };
}

/**
 * Puts spaces in place of the tabs that indent lines. What stands behind the indentation of a text of several lines is
 * left alone: tabs there are its own.
 *
 * @param width spaces for each tab
 */
export function untabbed(
  before: MendedText,
  width: number,
): { readonly after: MendedText; readonly tabs: readonly number[] } {
  const edits: Edit[] = [];
  let start = 0;
  /** How the first line of the text of several lines is indented that we are in. */
  let block: { readonly indent: number; own?: string } | undefined;
  for (const line of before.text.split("\n")) {
    const lead = /^[ \t]*/u.exec(line)?.[0] ?? "";
    const blank = lead.length === line.replace(/\r$/u, "").length;
    if (block !== undefined && !blank) {
      block.own ??= lead;
      if (lead.length <= block.indent) block = undefined;
    }
    const mended = block === undefined ? lead : lead.slice(0, block.own?.length ?? 0);
    for (const { index } of mended.matchAll(/\t/gu))
      edits.push({ at: start + index, remove: 1, insert: " ".repeat(width) });
    if (block === undefined && OPENS_BLOCK.test(line.replace(/\r$/u, ""))) block = { indent: lead.length };
    start += line.length + 1;
  }
  return { after: edits.length === 0 ? before : mend(before, edits), tabs: edits.map(({ at }) => at) };
}

/** Blanks the comments of a JSON file, which JSON knows none of; everything else keeps its place. */
export function withoutJsonComments(text: string): {
  readonly text: string;
  readonly at: number | undefined;
} {
  let at: number | undefined;
  const blanked = text.replace(
    /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu,
    (found: string, index: number) => {
      if (found.startsWith('"')) return found;
      at ??= index;
      return found.replace(/[^\r\n]/gu, " ");
    },
  );
  return { text: blanked, at };
}

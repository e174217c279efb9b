import { safeLink } from "../../links.ts";
import { plainText, withoutMentions } from "./escape.ts";

/*
 * Markdown that a model wrote, put into a page of ours. It keeps its emphasis, lists, tables and code, and loses what
 * reaches out of it: HTML, images, links to anything but the web, mentions, unclosed fences.
 *
 * Programs differ in how they read code, so nothing is left to them: what is read as code here is written anew as
 * code, with fences of our own, and every sign elsewhere that could begin code is escaped.
 */
const FENCE = /^([ \t]{0,32})(`{3,}|~{3,})([^`]*)$/;

interface Fence {
  readonly sign: string;
  readonly length: number;
  readonly language: string;
  /** Of its first line: its other lines lose as much. */
  readonly indent: number;
  readonly lines: string[];
}

/** A model's Markdown as a part of a page. */
export function foreignMarkdown(text: string): string {
  const out: string[] = [];
  let fence: Fence | undefined;
  for (const line of plainText(text).split("\n")) {
    if (fence !== undefined) {
      if (closes(line, fence)) {
        out.push(...written(fence));
        fence = undefined;
      } else fence.lines.push(unindented(line, fence.indent));
      continue;
    }
    fence = opened(line);
    if (fence === undefined) out.push(prose(line));
  }
  if (fence !== undefined) out.push(...written(fence));
  return out.join("\n");
}

function opened(line: string): Fence | undefined {
  const match = FENCE.exec(line);
  if (match === null) return undefined;
  const [, indent = "", signs = "", info = ""] = match;
  const language = /^\s*([\w+#.-]{1,30})/.exec(info)?.[1] ?? "";
  return { sign: signs[0] ?? "`", length: signs.length, language, indent: indent.length, lines: [] };
}

function unindented(line: string, by: number): string {
  const blank = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(by, blank));
}

function closes(line: string, { sign, length }: Fence): boolean {
  const found = /^[ \t]{0,32}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found !== undefined && found.startsWith(sign) && found.length >= length;
}

function written({ language, lines }: Fence): readonly string[] {
  const longest = lines
    .flatMap((line) => line.match(/`+/g) ?? [])
    .reduce((most, run) => Math.max(most, run.length), 2);
  const marks = "`".repeat(longest + 1);
  // Blank lines around it: what stands before does not go on into it.
  return ["", `${marks}${language.replace(/[^\w+#.-]/g, "")}`, ...lines, marks, ""];
}

/** Code within a line: the shortest run of backticks that closes what the same run opened. */
const CODE = /(?<![\\`])(`+)(?!`)([^`]|[^`][\s\S]*?[^`])\1(?!`)/g;

/** One line that is no code block: code in it stays, all else loses what reaches out. */
function prose(line: string): string {
  let out = "";
  let from = 0;
  for (const match of line.matchAll(CODE)) {
    // In a table a bar ends the cell, within code as well, and with it the code.
    if (match[0].includes("|")) continue;
    out += harmless(line.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return out + harmless(line.slice(from));
}

const LINK = /\]\(\s*<?([^)\s<>]{0,2000})>?/g;

/** Text with markup, without code. */
function harmless(text: string): string {
  return withoutMentions(text)
    .replace(/\\*`/g, escapedTick)
    .replace(/!\[/g, "\\![")
    .replace(/\[!/g, "\\[!")
    .replace(LINK, (whole, href: string) => (safeLink(href) === undefined ? `\\${whole}` : `](${href}`))
    .replace(/\]:/g, "]\\:")
    .replace(/\]\[/g, "]\\[")
    .replace(/~{3,}/g, (run) => "\\~".repeat(run.length))
    .replace(/\$/g, "\\$")
    .replace(/&(?=#|\w)/g, "&amp;")
    .replace(/</g, "&lt;");
}

/** A backtick that begins no code: an odd number of backslashes stands before it. */
function escapedTick(run: string): string {
  return run.length % 2 === 0 ? run : `\\${run}`;
}

import { parseDocument, type Document } from "yaml";
import type { Json } from "../models/types.ts";
import { unmended, type MendedText } from "./mended-text.ts";
import { MAX_FAULTS, yamlFaults, type YamlFault } from "./yaml-faults.ts";
import { quoteValues, untabbed, withoutJsonComments } from "./yaml-mend.ts";
import { SCHEMA_VALUES, shown, treeOf, type Path, type Range, type Tree, type Typed } from "./yaml-tree.ts";

/** Brackets open at once, or dashes on a line, beyond which no text is parsed: the parser takes seconds for it. */
const MAX_OPEN = 100;
/** How often a text is mended before it is given up. */
const MAX_PASSES = 4;
/** Fields of running text, in which a `#` is rather a sign than the beginning of a comment. */
const PROSE = ["description", "prompt", "bio"];
/** Fields of few words: a comment behind them is one, as long as it looks like one. */
const WORDS = ["name", "job", "model"];
/** Spaces that a tab may stand for. */
const TAB_WIDTHS = [2, 4, 8] as const;

/** Something to be said about a text; offsets in the text as it was written. */
export interface ReadProblem {
  readonly severity: "error" | "warning";
  readonly range: Range;
  readonly message: string;
}

/** What a text holds. With an error among the problems the value is not to be used. */
export interface YamlReading {
  readonly value: Json | undefined;
  readonly problems: readonly ReadProblem[];
  /** Where the value, or the name, of a field stands. */
  readonly valueAt: (path: Path) => Range | undefined;
  readonly keyAt: (path: Path) => Range | undefined;
  readonly empty: readonly Path[];
}

/** How a text is read. */
export interface YamlOptions {
  /** It is JSON, in which people write comments. */
  readonly json?: boolean;
  /** Where values have types; left out: as in agent files. */
  readonly typed?: Typed;
}

/**
 * Reads YAML, or JSON, as people write it: what YAML takes for something else than was meant is mended where that is
 * safe, and said. Never throws, and takes a bounded time.
 */
export function readYaml(
  written: string,
  { json = false, typed = SCHEMA_VALUES }: YamlOptions = {},
): YamlReading {
  const problems: ReadProblem[] = [];
  const uncommented = json ? withoutJsonComments(written) : { text: written, at: undefined };
  if (uncommented.at !== undefined) {
    const message = "JSON has no comments; they are passed over here.";
    problems.push({ severity: "warning", range: [uncommented.at, uncommented.at + 2], message });
  }
  const first = parse(unmended(uncommented.text));
  if ("message" in first) return nothing([{ severity: "error", range: [0, 1], message: first.message }]);
  // What has so many faults is something else than YAML, and mending it would take long.
  const hopeless = first.faults.length >= MAX_FAULTS;
  const parsed = first.faults.length === 0 ? first : hopeless ? undefined : mended(first, problems);
  if (parsed === undefined) {
    const faults = first.faults.slice(0, 20);
    return nothing(
      faults.map(({ from, to, message }) => ({ severity: "error", range: [from, to], message })),
    );
  }
  return reading(parsed, uncommented.text, problems, typed);
}

interface Parsed {
  readonly text: MendedText;
  readonly document: Document;
  readonly faults: readonly YamlFault[];
}

/** A text that was parsed, or why it can't be. */
type Reparsed = Parsed | { readonly message: string };

function parse(text: MendedText): Reparsed {
  if (tooDeep(text.text)) return { message: `The file is nested too deeply: more than ${MAX_OPEN} levels.` };
  try {
    // The parser compares each key with all others, which takes minutes for many: the tree looks for doubles itself.
    const document = parseDocument(text.text, { uniqueKeys: false, prettyErrors: false, schema: "core" });
    return { text, document, faults: yamlFaults(document, text.text) };
  } catch (error) {
    return {
      message: `The file can't be read: ${shown(error instanceof Error ? error.message : String(error))}`,
    };
  }
}

function tooDeep(text: string): boolean {
  let open = 0;
  for (const [sign] of text.matchAll(/[[\]{}]/gu)) {
    open += sign === "[" || sign === "{" ? 1 : -1;
    if (Math.abs(open) > MAX_OPEN) return true;
  }
  // Fields within fields on one line are never YAML; the parser unfolds them all the same.
  return /(?:[-?] +){100}|(?:[^\s"'{}[\],#:]{1,60}: +){100}/u.test(text);
}

/** Mends tabs and values without quotes; nothing when faults are left all the same. */
function mended(first: Parsed, problems: ReadProblem[]): Parsed | undefined {
  const written = first.text;
  const widths = /^[ ]*\t/mu.test(written.text) ? TAB_WIDTHS : [0];
  for (const width of widths) {
    const { after, tabs } = width === 0 ? { after: written, tabs: [] } : untabbed(written, width);
    const notes: ReadProblem[] = tabs.slice(0, 1).map((at) => {
      const what = tabs.length > 1 ? `${tabs.length} tabs indent lines here` : "A tab indents this line";
      return {
        severity: "warning",
        range: [written.original(at), written.original(at) + 1],
        message: `${what}, which YAML does not take; each is read as ${width} spaces. Put spaces in place of tabs.`,
      };
    });
    const parsed = quoted(after === written ? first : parse(after), notes);
    if (parsed === undefined) continue;
    problems.push(...notes);
    return parsed;
  }
  return undefined;
}

function quoted(first: Reparsed, notes: ReadProblem[]): Parsed | undefined {
  let parsed = first;
  for (let pass = 0; pass <= MAX_PASSES; pass += 1) {
    if ("message" in parsed) return undefined;
    if (parsed.faults.length === 0) return parsed;
    const before = parsed.text;
    const { after, quoted: values } = quoteValues(
      before,
      parsed.faults.map(({ from }) => from),
    );
    if (values.length === 0) return undefined;
    for (const { from, to, value } of values) {
      const range: Range = [before.original(from), before.original(to)];
      notes.push({ severity: "warning", range, message: quoteNote(value) });
    }
    parsed = parse(after);
  }
  return undefined;
}

function quoteNote(value: string): string {
  if (/^(?:"[^"]*|'[^']*)$/u.test(value))
    return `This quote is never closed; the value is read as text, with the quote. Close it, or quote the value: ${shown(JSON.stringify(value))}`;
  const why = /:(?:\s|$)/u.test(value) ? "has a colon" : `has signs such as ${value.slice(0, 1)}`;
  return `This value ${why}, which YAML takes for something else; it is read as text. Quote the value: ${shown(JSON.stringify(value))}`;
}

function reading(
  { text, document }: Parsed,
  written: string,
  problems: ReadProblem[],
  typed: Typed,
): YamlReading {
  const tree: Tree = treeOf(document, typed);
  const back = (range: Range | undefined): Range | undefined =>
    range && [text.original(range[0]), text.original(range[1])];
  for (const { range, message } of tree.faults)
    problems.push({ severity: "error", range: back(range) ?? [0, 1], message });
  const isQuoted = (at: number): boolean => /["'|>]/u.test(written.charAt(text.original(at)));
  for (const [from, to] of swallowed(text.text, tree, isQuoted))
    problems.push({
      severity: "warning",
      range: [text.original(from), text.original(to)],
      message: `YAML takes what stands behind a # for a comment: \`${shown(text.text.slice(from, to))}\` is left out. Quote the value if it belongs to it.`,
    });
  return {
    value: tree.value,
    problems,
    valueAt: (path) => back(tree.valueAt(path)),
    keyAt: (path) => back(tree.keyAt(path)),
    empty: tree.empty,
  };
}

/** Where a comment ends a text that is not in quotes, and may have been meant as a part of it. */
function swallowed(text: string, tree: Tree, isQuoted: (at: number) => boolean): readonly Range[] {
  return [...PROSE, ...WORDS].flatMap((field) => {
    const [from, to] = tree.valueAt([field]) ?? [0, 0];
    const comment = /^[ \t]+(#.*)$/mu.exec(text.slice(to));
    if (to === 0 || comment?.index !== 0 || isQuoted(from)) return [];
    const said = comment[1] ?? "";
    if (!PROSE.includes(field) && !/^#\S/u.test(said)) return [];
    const begin = to + comment[0].length - said.length;
    return [[begin, begin + said.trimEnd().length] as const];
  });
}

function nothing(problems: readonly ReadProblem[]): YamlReading {
  const nowhere = (): undefined => undefined;
  return { value: undefined, problems, valueAt: nowhere, keyAt: nowhere, empty: [] };
}

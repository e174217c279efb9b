import { isAlias, isNode, isScalar, visit, type Document } from "yaml";

/** Something that YAML can't take, or takes for something else than was meant. */
export interface YamlFault {
  /** Offsets in the text that was read. */
  readonly from: number;
  readonly to: number;
  /** A sentence: what is wrong and what to do. */
  readonly message: string;
}

const INDENT = "Put spaces at the beginning of the line in place of the tab: YAML takes no tabs there.";
const QUOTE = "Put the value in quotes.";

/** What is to be done about what the parser says, by its code. */
const CURES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: INDENT,
  BLOCK_AS_IMPLICIT_KEY: `YAML takes what stands before a colon for a field. ${QUOTE} Or mend the indentation of the line below.`,
  BAD_SCALAR_START: `A value can't begin with this sign. ${QUOTE}`,
  UNEXPECTED_TOKEN: `YAML expects the value to end before this. ${QUOTE}`,
  TAG_RESOLVE_FAILED: `YAML takes a word behind "!" for a type. ${QUOTE}`,
  MULTIPLE_DOCS: "A line of three dashes begins a second document. Leave it out: a file holds one document.",
  MULTILINE_IMPLICIT_KEY: "Here a field is expected: a name, a colon, a space, and its value.",
  MISSING_CHAR: "Here a field is expected (a name, a colon, a space, and its value), or a sign is missing.",
  BAD_INDENT: "Indent this line as far as the lines it belongs to.",
  BAD_ALIAS: `YAML takes a word behind "*" for a reference. ${QUOTE}`,
  BAD_DQ_ESCAPE: "In double quotes a backslash must be written twice, or the value put in single quotes.",
};

/** What the parser says of a place. */
interface Said {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** More faults than these are not looked at: a text that is no YAML at all has thousands. */
export const MAX_FAULTS = 50;

/** The first faults that the parser names, those of references included, in the order of the text. */
export function yamlFaults(document: Document, text: string): readonly YamlFault[] {
  const said: readonly Said[] = [...document.errors, ...document.warnings];
  const named = said.slice(0, MAX_FAULTS);
  const found = named.map((fault) => parserFault(fault, document, text));
  return [...found, ...referenceFaults(document)].sort((a, b) => a.from - b.from).slice(0, MAX_FAULTS);
}

function parserFault({ code, message, pos }: Said, document: Document, text: string): YamlFault {
  const [from, to] = pos;
  if (code === "MISSING_CHAR" && message.includes("quote")) {
    const start = openQuote(document, from) ?? from;
    return {
      from: start,
      to: start + 1,
      message: "This quote is never closed. Put a quote at the value's end.",
    };
  }
  const line = text.slice(text.lastIndexOf("\n", from - 1) + 1).split("\n", 1)[0] ?? "";
  if (/^ *\t/u.test(line)) return { from, to, message: INDENT };
  const said = message.split("\n", 1)[0] ?? message;
  return { from, to, message: `${CURES[code] ?? "YAML can't read this."} (${said.slice(0, 200)})` };
}

/** Where the quote stands that is not closed at an offset. */
function openQuote(document: Document, at: number): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type !== "QUOTE_DOUBLE" && type !== "QUOTE_SINGLE") return;
      if (range && range[0] < at && at <= range[2] + 1) start = range[0];
    },
  });
  return start;
}

/** References to what is not there, and names for references that nothing refers to: both are meant as plain text. */
function referenceFaults(document: Document): readonly YamlFault[] {
  const faults: YamlFault[] = [];
  const used = new Set<string>();
  const named: { readonly anchor: string; readonly from: number; readonly plain: boolean }[] = [];
  const names = new Set<string>();
  visit(document, {
    Node: (_key, node) => {
      const from = node.range?.[0] ?? 0;
      if (!isAlias(node)) {
        const plain = isScalar(node) && (node.type === "PLAIN" || node.type === undefined);
        if (node.anchor !== undefined) {
          named.push({ anchor: node.anchor, from, plain });
          names.add(node.anchor);
        }
        return;
      }
      used.add(node.source);
      if (!names.has(node.source)) faults.push(referenceFault("*", from, node.source));
    },
  });
  const idle = named.filter(({ anchor, plain }) => plain && !used.has(anchor));
  return [...faults, ...idle.map(({ anchor, from }) => referenceFault("&", from, anchor))];
}

function referenceFault(sign: string, from: number, word: string): YamlFault {
  const message = `YAML takes a word behind "${sign}" for a reference, and nothing else in the file goes with it. ${QUOTE}`;
  return { from, to: from + word.length + 1, message };
}

/** Where a node begins and ends; the end leaves out comments and blank lines behind it. */
export function rangeOf(node: unknown): readonly [number, number] | undefined {
  if (!isNode(node)) return undefined;
  const { range } = node;
  return range ? [range[0], range[1]] : undefined;
}

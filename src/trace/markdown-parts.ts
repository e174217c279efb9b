import * as smd from "streaming-markdown";

/** The elements that a model's Markdown may be made of, headings and what is drawn by hand apart. */
const ELEMENTS: ReadonlyMap<number, string> = new Map<number, string>([
  [smd.BLOCKQUOTE, "blockquote"],
  [smd.PARAGRAPH, "p"],
  [smd.LINE_BREAK, "br"],
  [smd.RULE, "hr"],
  [smd.ITALIC_AST, "em"],
  [smd.ITALIC_UND, "em"],
  [smd.STRONG_AST, "strong"],
  [smd.STRONG_UND, "strong"],
  [smd.STRIKE, "s"],
  [smd.CODE_INLINE, "code"],
  [smd.CODE_BLOCK, "code"],
  [smd.CODE_FENCE, "code"],
  [smd.EQUATION_BLOCK, "code"],
  [smd.EQUATION_INLINE, "code"],
  [smd.RAW_URL, "a"],
  [smd.LINK, "a"],
  [smd.LIST_UNORDERED, "ul"],
  [smd.LIST_ORDERED, "ol"],
  [smd.LIST_ITEM, "li"],
  [smd.TABLE, "table"],
  [smd.TABLE_ROW, "tr"],
  [smd.TABLE_CELL, "td"],
]);

const HEADINGS: readonly number[] = [
  ...[smd.HEADING_1, smd.HEADING_2, smd.HEADING_3],
  ...[smd.HEADING_4, smd.HEADING_5, smd.HEADING_6],
];
const LAST_HEADING = 6;

const BLOCKS: ReadonlySet<number> = new Set<number>([smd.CODE_BLOCK, smd.CODE_FENCE, smd.EQUATION_BLOCK]);

/** Whether it is code in a block of its own. */
export function isCodeBlock(type: number): boolean {
  return BLOCKS.has(type);
}

/**
 * The element of a kind of Markdown; undefined for what has none.
 *
 * @param topHeading which level of the page the first heading of an answer stands on
 */
export function elementOf(type: number, topHeading: number): string | undefined {
  const level = HEADINGS.indexOf(type);
  return level < 0 ? ELEMENTS.get(type) : `h${Math.min(LAST_HEADING, topHeading + level)}`;
}

/** The names of all elements that `elementOf` gives. */
export function elementNames(topHeading: number): readonly string[] {
  const headings = HEADINGS.flatMap((type) => elementOf(type, topHeading) ?? []);
  return [...new Set([...ELEMENTS.values(), ...headings])];
}

/** Where an underscore is no markup to the parser: in code, and in addresses. */
const VERBATIM: ReadonlySet<number> = new Set<number>([
  ...[smd.CODE_INLINE, smd.CODE_BLOCK, smd.CODE_FENCE, smd.RAW_URL],
  ...[smd.EQUATION_BLOCK, smd.EQUATION_INLINE],
]);

const INSIDE_WORD = /(?<=[\p{L}\p{N}_])_+(?=[\p{L}\p{N}])/gu;

function isVerbatim({ token, pending }: smd.Parser): boolean {
  return VERBATIM.has(token) || pending.startsWith("](");
}

/** Has a text parsed of which the first `from` characters were already. Underscores inside a word are no emphasis. */
export function writeMarkdown(parser: smd.Parser, text: string, from = 0): void {
  let at = from;
  INSIDE_WORD.lastIndex = from;
  for (let found = INSIDE_WORD.exec(text); found !== null; found = INSIDE_WORD.exec(text)) {
    smd.parser_write(parser, text.slice(at, found.index));
    smd.parser_write(parser, isVerbatim(parser) ? found[0] : found[0].replaceAll("_", "\\_"));
    at = found.index + found[0].length;
  }
  smd.parser_write(parser, text.slice(at));
}

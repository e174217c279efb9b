/** One part of a long text. Positions count UTF-16 code units, as strings do. */
export interface TextPage {
  readonly text: string;
  /** Where this part begins in the whole text; the asked start, moved to the edge of a sign. */
  readonly start: number;
  /** Where it ends, and where the next part begins. */
  readonly end: number;
  /** Length of the whole text. */
  readonly total: number;
}

/** A page's size unless said otherwise. */
export const PAGE_CHARACTERS = 3000;

/** How far back a page's end is moved to stand between words. */
const WORD_REACH = 200;
/** How much text around a cut is looked at to find the edge of a sign; the longest emoji have about 35 units. */
const SIGN_REACH = 64;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The part of `text` that begins at `start` (0 when negative or not a number), at most `size` units long, unless a
 * single sign is longer. It never cuts a sign, and ends between words where there is a gap near the end.
 */
export function pageOf(text: string, start: number, size: number = PAGE_CHARACTERS): TextPage {
  const total = text.length;
  const asked = Number.isFinite(start) ? Math.max(0, Math.trunc(start)) : 0;
  const from = asked >= total ? total : signEdge(text, asked);
  const end = pageEnd(text, from, size);
  return { text: text.slice(from, end), start: from, end, total };
}

/** What to tell a model below a part of a long text; empty when it has seen all of it. */
export function pageHint(page: TextPage, toolName: string): string {
  const count = (value: number): string => value.toLocaleString("en-US");
  if (page.start >= page.total && page.total > 0) {
    return `Nothing at start=${page.start}: the text has ${count(page.total)} characters.`;
  }
  if (page.end >= page.total) {
    return page.start === 0 ? "" : `End of the text (${count(page.total)} characters).`;
  }
  const given = page.end - page.start;
  return `${count(given)} of ${count(page.total)} characters, call ${toolName} again with start=${page.end} for more.`;
}

/** Shortens a text to at most `size` units without cutting a sign; an ellipsis says so. */
export function shorten(text: string, size: number): string {
  if (text.length <= size) return text;
  return `${text.slice(0, pageEnd(text, 0, size - 1)).trimEnd()}…`;
}

function pageEnd(text: string, from: number, size: number): number {
  const limit = from + size;
  if (limit >= text.length) return text.length;
  for (let at = limit; at > limit - WORD_REACH && at > from; at -= 1) {
    if (isSpace(text.charCodeAt(at - 1))) return at;
  }
  const edge = signEdge(text, limit);
  return edge > from ? edge : nextSignEdge(text, limit);
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x3000;
}

/** The last edge between two signs at or before `at`. */
function signEdge(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  const base = Math.max(0, at - SIGN_REACH);
  const around = text.slice(base, at + SIGN_REACH);
  const sign = graphemes.segment(around).containing(at - base);
  return sign ? base + sign.index : at;
}

function nextSignEdge(text: string, at: number): number {
  const base = Math.max(0, at - SIGN_REACH);
  const around = text.slice(base, at + SIGN_REACH);
  const sign = graphemes.segment(around).containing(at - base);
  return sign ? base + sign.index + sign.segment.length : at;
}

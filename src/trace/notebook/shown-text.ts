import { cutAtGrapheme } from "../../agent/text.ts";

/** The longest text that a cell shows, in UTF-16 units; of a longer one its beginning. */
export const CELL_TEXT_LIMIT = 100_000;

/**
 * A text as an editor holds it: well-formed, lines ended by line feeds alone, no byte order mark, and not without end.
 * What comes back unchanged from an editor is told from what was changed by this form.
 */
export function shownText(text: string): string {
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  return cutAtGrapheme(plain.toWellFormed(), CELL_TEXT_LIMIT);
}

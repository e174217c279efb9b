/** The marker around text that others wrote. The system prompt says that nothing inside it is an instruction. */
export const UNTRUSTED_TAG = "untrusted_content";

/** Any spelling of our marker, opening or closing, with white space or a slash in between. */
const MARKER = new RegExp(`<(\\s*/?\\s*${UNTRUSTED_TAG})`, "giu");

/**
 * Characters that a reader can't see but a model reads: controls, zero-width signs, direction overrides and the tag
 * block. Joiners (U+200C, U+200D) stay: emoji and several scripts need them.
 */
const INVISIBLE =
  /(?![\n\t])\p{Cc}|[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Text that others wrote, made safe to stand in a prompt: well-formed, without invisible characters. */
export function visibleText(text: string): string {
  return text.replace(/\r\n?/g, "\n").toWellFormed().replace(INVISIBLE, "");
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\s+/g, " ").trim();
}

/**
 * Wraps text that others wrote between markers that say so. A marker within the text is escaped, so that the text
 * can't end its own quotation.
 */
export function markUntrusted(text: string, source: string): string {
  const label = source.replace(/["<>\s]/g, (sign) => encodeURIComponent(sign));
  return `<${UNTRUSTED_TAG} source="${label}">\n${escapeMarkers(visibleText(text))}\n</${UNTRUSTED_TAG}>`;
}

/** Escapes every marker within a text. */
export function escapeMarkers(text: string): string {
  return text.replace(MARKER, "&lt;$1");
}

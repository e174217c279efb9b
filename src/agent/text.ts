const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How far back a safe place to begin segmenting is looked for, in UTF-16 units. */
const LOOK_BACK = 256;

/** A text with every lone surrogate replaced, so that it is valid in any encoding. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/**
 * The longest beginning of a text that has at most `limit` UTF-16 units and does not end inside a grapheme (an emoji
 * with its joiners, a letter with its accents, CR LF).
 */
export function cutAtGrapheme(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 0) return "";
  const start = safeStart(text, limit);
  const tail = SEGMENTER.segment(text.slice(start, limit + LOOK_BACK));
  const segment = tail.containing(limit - start);
  return text.slice(0, start + (segment?.index ?? 0));
}

/** A place at or before `limit` where a grapheme surely begins: between two ASCII characters, or the text's start. */
function safeStart(text: string, limit: number): number {
  const first = Math.max(0, limit - LOOK_BACK);
  for (let at = limit; at > first; at -= 1) {
    if (isPlain(text.charCodeAt(at)) && isPlain(text.charCodeAt(at - 1))) return at;
  }
  return first > 0 && isLowSurrogate(text.charCodeAt(first)) ? first - 1 : first;
}

function isPlain(unit: number): boolean {
  return unit < 0x80 && unit !== 0x0d && unit !== 0x0a;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether a text holds a question mark, of any script that has one. */
export function holdsQuestionMark(text: string): boolean {
  return /[?？؟\u037e՞]/u.test(text);
}

import { wellFormed } from "../text.ts";

/** What a judge wrote, and what it was given to read. */
export interface Written {
  readonly text: string;
  /** It was cut off: at the limit of tokens, or of what is taken. */
  readonly cut: boolean;
  /** The texts that were judged: what is only quoted from them is no result. */
  readonly material: readonly string[];
}

/** What was read from a judge's words. */
export interface Reading<T> {
  readonly value: T;
  /** Its words without the result; may be empty. */
  readonly feedback: string;
}

/** A result stands within so much of the end, in UTF-16 units. */
const TAIL = 400;
/** So much before a result, the same as in a judged text, makes it a quotation; in UTF-16 units. */
const COPIED = 10;
/** Places of a judged text that are looked at for a quotation. */
const MAX_COPIES = 50;

/** Marks with which servers and models end a text. */
const END_MARK = /(?:<\/s>|<\|[^|<>\n]{1,30}\|>|<(?:eos|end_of_turn)>|\[\/INST\]|#{2,}\s*END)$/iu;
const CLOSERS = /[\s.。!！*_~`"'”’»」)\]}#]+$/u;
const OPENING_QUOTE = /["'“”‘’«»「`]$/u;
const PAIRS = ["()", "“”", "«»", "「」"] as const;
const FOREIGN = /[^\0-\x7f]/u;
/** What makes a digit a key with a frame. */
const KEYCAP = /\ufe0f?\u20e3/gu;
/** How a sentence ends, or a line; what stands behind it may be in bold. */
const SENTENCE_END = /(?:^|[.!?…。！？\n)\]”»」])[\s*_#>-]*$/u;
/** Where the digits of other scripts begin. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/**
 * The text without the thinking that it may begin with. Where that never ends, nothing is left: a verdict within
 * thinking is none.
 */
export function withoutThinking(text: string): string {
  const open = /^\s*<(think|thinking|reasoning)>/iu.exec(text);
  if (open === null) return text;
  const closing = `</${open[1] ?? ""}>`.toLowerCase();
  const at = text.toLowerCase().indexOf(closing);
  return at < 0 ? "" : text.slice(at + closing.length);
}

/** The end of a text as patterns read it. */
export interface Tail {
  /** In plain digits and signs, without what only closes it, such as a full stop or a bracket. */
  readonly text: string;
  /** It is the whole text. */
  readonly whole: boolean;
  /** Where it begins in the text that it is the end of. */
  readonly start: number;
  /** Nothing closes it. */
  readonly open: boolean;
}

/** The end of a text. */
export function tailOf(text: string): Tail {
  const start = Math.max(0, text.length - TAIL);
  const written = plainSigns(text.slice(start));
  let tail = written;
  for (let before = ""; before !== tail;) {
    before = tail;
    tail = tail.replace(END_MARK, "").replace(CLOSERS, "");
  }
  return { text: tail, whole: start === 0, start, open: tail.length === written.length };
}

/**
 * Whether a result that begins at some place of the tail is quoted or said by the way: it stands in quotes or in
 * parentheses, or it came with the words before it from what was judged.
 */
export function isQuoted(tail: string, at: number, material: readonly string[]): boolean {
  const before = tail.slice(0, at);
  if (OPENING_QUOTE.test(before) || isWithin(before)) return true;
  const result = tail.slice(at);
  if (before.trim() === "") return false;
  // Within a sentence, what an answer says of itself may as well be told as meant.
  const isTold = result.startsWith("[") && !SENTENCE_END.test(before);
  return material
    .map(plainSigns)
    .some((text) => (isTold && text.includes(result)) || isCopied(before, result, text));
}

/** Whether a text holds a result with the same words before it: some of them, or all that stand on its line. */
function isCopied(before: string, result: string, text: string): boolean {
  let found = text.indexOf(result);
  for (let looks = 0; found >= 0 && looks < MAX_COPIES; looks += 1) {
    let same = 0;
    while (same < COPIED && same < found && before.at(-1 - same) === text.charAt(found - 1 - same)) same += 1;
    const begins = same === found || text.charAt(found - 1 - same) === "\n";
    const words = text.slice(found - same, found).replace(/\s/gu, "").length;
    if (same === COPIED || (begins && words >= 3)) return true;
    found = text.indexOf(result, found + 1);
  }
  return false;
}

/** Whether a quotation or a parenthesis is open where a text ends. */
function isWithin(before: string): boolean {
  if (PAIRS.some(([open = "", close = ""]) => before.lastIndexOf(open) > before.lastIndexOf(close)))
    return true;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return ['"', "`"].some((quote) => line.split(quote).length % 2 === 0);
}

/** A text with wide and foreign digits, colons and brackets as plain ones. */
function plainSigns(text: string): string {
  if (!FOREIGN.test(text)) return text;
  const digits = wellFormed(text.replace(KEYCAP, "")).replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
  const plain = digits.normalize("NFKC");
  // Some signs stand for whole words.
  return plain.length > 2 * text.length ? digits : plain;
}

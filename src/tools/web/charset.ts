import chardet from "chardet";

/** A body as text. */
export interface DecodedText {
  readonly text: string;
  /** The name of the encoding that was used, as `TextDecoder` calls it. */
  readonly encoding: string;
  /** Said when the declared encoding was not used as declared. */
  readonly note?: string;
  /** True when so much of the text is replacement signs that it should not be shown. */
  readonly garbled: boolean;
}

/** How far into a page a `<meta charset>` or an XML declaration is looked for, in bytes: some heads are long. */
const DECLARATION_REACH = 64 * 1024;
/** How much is given to the detector; it is slow, and more does not make it surer. */
const DETECTOR_REACH = 64 * 1024;
/** A text with a larger share of replacement signs is noise. */
const MAX_REPLACED = 0.05;
/** How much is looked at to find UTF-16 that doesn't say so, and the least share of ASCII in it. */
const UTF16_REACH = 4096;
const UTF16_PLAIN = 0.1;
/** Encodings with one byte a sign. A text in one of them is never valid UTF-8 by chance. */
const SINGLE_BYTE = /^(windows|iso-8859|koi8|ibm|mac|x-mac)/;
/** Signs beyond ASCII that must be valid UTF-8 before a label of two bytes a sign is disbelieved. */
const ENOUGH_SIGNS = 3;

/**
 * Decodes a body. The byte order mark is asked first (or the zeros that show UTF-16 without one), then the content
 * type's label, the page's own declaration, and last a detector. A declaration that does not fit the bytes gives way to
 * one that does.
 */
export function decodeText(bytes: Buffer, contentType = ""): DecodedText {
  const marked = byteOrderMark(bytes) ?? unmarkedUtf16(bytes);
  if (marked) return finish(decode(bytes, marked), marked);
  const label = /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1];
  const declared = declaredEncoding(bytes, label);
  const unknown = label !== undefined && known(label) === undefined ? label : undefined;
  const note = unknown && `The page names an unknown encoding (${unknown.slice(0, 40)})`;
  if (declared !== undefined) return fromDeclared(bytes, declared, note);
  const guess = (isUtf8(bytes) ? escapedJapanese(bytes) : detect(bytes)) ?? fallback(bytes);
  return finish(decode(bytes, guess), guess, note && `${note}; read as ${guess}.`);
}

/** Many servers call everything iso-8859-1 without looking: the page's own word counts for more than that. */
function declaredEncoding(bytes: Buffer, label: string | undefined): string | undefined {
  const stated = known(label);
  return stated === "windows-1252" ? (metaEncoding(bytes) ?? stated) : (stated ?? metaEncoding(bytes));
}

function fallback(bytes: Buffer): string {
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

/** Decodes as declared; bytes that contradict the declaration are read by the next best one. */
function fromDeclared(bytes: Buffer, declared: string, note?: string): DecodedText {
  const text = decode(bytes, declared);
  const other = contradiction(bytes, declared);
  if (other !== undefined) return finish(decode(bytes, other), other, notAsDeclared(declared, other));
  const replaced = countReplaced(text);
  const fits = replaced === 0 || (declared === "utf-8" && isUtf8(bytes));
  if (fits) return finish(text, declared, note && `${note}; read as ${declared}.`);
  if (declared === "utf-8" && replaced < text.length * 0.01 && hasMultibyte(text)) {
    return finish(decodeMixed(bytes), declared, note);
  }
  const others = [
    metaEncoding(bytes),
    isUtf8(bytes) ? "utf-8" : undefined,
    detect(bytes),
    westernGuess(bytes),
  ];
  for (const other of others) {
    if (other === undefined || other === declared) continue;
    const better = decode(bytes, other);
    if (countReplaced(better) * 2 < replaced && looksLikeText(better)) {
      return finish(better, other, notAsDeclared(declared, other));
    }
  }
  return finish(text, declared, note);
}

function notAsDeclared(declared: string, other: string): string {
  return `The page says ${declared} and is not; read as ${other}.`;
}

/** The encoding that a body is surely in although it says another, which would read it too, as nonsense. */
function contradiction(bytes: Buffer, declared: string): string | undefined {
  if (declared === "utf-8") return escapedJapanese(bytes);
  if (isUtf8(bytes)) {
    const signs = decode(bytes.subarray(0, DETECTOR_REACH), "utf-8").match(/[^\0-\x7f\uFFFD]/gu)?.length ?? 0;
    return signs >= (SINGLE_BYTE.test(declared) ? 1 : ENOUGH_SIGNS) ? "utf-8" : undefined;
  }
  // A text of hardly anything but high bytes is in no Western language.
  return declared === "windows-1252" && westernGuess(bytes) === undefined ? detect(bytes) : undefined;
}

/** windows-1252 reads anything; only mostly plain letters make it a guess worth trying. */
function westernGuess(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, DETECTOR_REACH);
  const high = sample.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  return high < sample.length * 0.3 ? "windows-1252" : undefined;
}

function finish(text: string, encoding: string, note?: string): DecodedText {
  const garbled = countReplaced(text) > text.length * MAX_REPLACED || !looksLikeText(text);
  return { text, encoding, garbled, ...(note !== undefined && note !== "" && { note }) };
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/**
 * UTF-16 whose byte order mark is missing: the ASCII signs of its markup, spaces and digits have a zero beside them,
 * nearly all on the same side. Nothing for anything else.
 */
export function unmarkedUtf16(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, UTF16_REACH);
  let little = 0;
  let big = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    if (isPlain(sample[at]) && sample[at + 1] === 0) little += 1;
    if (sample[at] === 0 && isPlain(sample[at + 1])) big += 1;
  }
  if (Math.max(little, big) * 2 < Math.max(2, sample.length * UTF16_PLAIN)) return undefined;
  if (little >= big * 5) return "utf-16le";
  return big >= little * 5 ? "utf-16be" : undefined;
}

function isPlain(byte: number | undefined): boolean {
  return (
    byte !== undefined && ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09)
  );
}

/** Japanese mail and old pages switch alphabets by escape codes, all in bytes that are ASCII too. */
function escapedJapanese(bytes: Buffer): string | undefined {
  return bytes.includes("\u001b$B") || bytes.includes("\u001b$@") ? "iso-2022-jp" : undefined;
}

function metaEncoding(bytes: Buffer): string | undefined {
  const head = bytes
    .subarray(0, DECLARATION_REACH)
    .toString("latin1")
    .replace(/<!--[^]*?-->/g, "");
  const found =
    /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,400}?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1];
  const encoding = known(found);
  // A declaration that could be read byte by byte is not in UTF-16, whatever it says (as the HTML standard has it).
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

/** The canonical name of a label, or nothing when no decoder knows it. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function detect(bytes: Buffer): string | undefined {
  for (const { name } of chardet.analyse(bytes.subarray(0, DETECTOR_REACH)).slice(0, 3)) {
    const encoding = known(name);
    // koi8-u is koi8-r with the letters of Ukrainian in place of lines to draw boxes with.
    if (encoding !== undefined && encoding !== "utf-8") return encoding === "koi8-r" ? "koi8-u" : encoding;
  }
  return undefined;
}

function decode(bytes: Buffer, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

function isUtf8(bytes: Buffer): boolean {
  try {
    // A body that was cut may end within a sign; `stream` doesn't hold that against it.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** UTF-8 with stray bytes of an older page in it: those are read as windows-1252, the rest as it is. */
function decodeMixed(bytes: Buffer): string {
  const legacy = new TextDecoder("windows-1252");
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = utf8Length(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString("utf8", from, at), legacy.decode(bytes.subarray(at, at + 1)));
    at += 1;
    from = at;
  }
  parts.push(bytes.toString("utf8", from));
  return parts.join("");
}

/** How many bytes the valid UTF-8 sign at `at` has, 0 when there is none. */
function utf8Length(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  for (let next = 1; next < length; next += 1) {
    if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length > 2 && bytes.toString("utf8", at, at + length).includes("\uFFFD") ? 0 : length;
}

function countReplaced(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\uFFFD"); at !== -1; at = text.indexOf("\uFFFD", at + 1)) count += 1;
  return count;
}

function hasMultibyte(text: string): boolean {
  return /[\u00A0-\uFFFC]/.test(text);
}

/** False for bytes that were never text: more than a few control characters. */
function looksLikeText(text: string): boolean {
  const sample = text.slice(0, 8192);
  const controls = sample.match(/[^\P{Cc}\t\n\r\f]/gu)?.length ?? 0;
  return controls <= sample.length * 0.02;
}

import { inflateSync, constants } from "node:zlib";

/** What one stream and all streams of a PDF may unfold to, in bytes. Pictures are not counted: text needs none. */
const MAX_STREAM = 32 * 1024 * 1024;
const MAX_TOTAL = 128 * 1024 * 1024;
/** How far before a stream its dictionary is looked for. */
const DICTIONARY_REACH = 2048;

/**
 * True for a PDF that unfolds to more than is safe to hold. It is looked for before pdf.js is let at the file, which
 * unfolds without a bound. Whatever looks like deflated data counts, because a filter's name can be written in many
 * ways; two layers in one stream are refused, no honest file has them.
 */
export function pdfBomb(bytes: Buffer): boolean {
  let total = 0;
  let at = 0;
  for (;;) {
    const mark = bytes.indexOf("stream", at);
    if (mark === -1) return false;
    at = mark + 6;
    if (bytes.toString("latin1", mark - 3, mark) === "end") continue;
    const start = bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? at + 2 : at + 1;
    const dictionary = dictionaryBefore(bytes, mark);
    if (bytes[start] === undefined || (bytes[start] & 0x0f) !== 8 || isPicture(dictionary)) continue;
    const end = bytes.indexOf("endstream", start);
    const size = unfoldedSize(bytes.subarray(start, end === -1 ? bytes.length : end));
    total += size;
    if (size > MAX_STREAM || total > MAX_TOTAL || layers(dictionary) > 1) return true;
    if (end !== -1) at = end + 9;
  }
}

function unfoldedSize(data: Buffer): number {
  try {
    return inflateSync(data, { maxOutputLength: MAX_STREAM + 1, finishFlush: constants.Z_SYNC_FLUSH }).length;
  } catch (error) {
    const tooLarge =
      error instanceof RangeError ||
      (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE");
    return tooLarge ? MAX_STREAM + 1 : 0;
  }
}

function dictionaryBefore(bytes: Buffer, mark: number): string {
  const text = bytes.toString("latin1", Math.max(0, mark - DICTIONARY_REACH), mark);
  return text.slice(text.lastIndexOf(" obj") + 1);
}

function isPicture(dictionary: string): boolean {
  return /\/Subtype\s*\/Image/.test(dictionary);
}

function layers(dictionary: string): number {
  return dictionary.match(/\/(FlateDecode|Fl|LZWDecode|LZW)\b/g)?.length ?? 0;
}

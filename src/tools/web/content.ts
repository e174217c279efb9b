import { unmarkedUtf16 } from "./charset.ts";

/** What a body is, by its label and its first bytes. */
export type ContentKind = "html" | "pdf" | "json" | "text" | "binary";

/** The first bytes of formats that are no text, whatever the server calls them. */
const MAGIC: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04], // zip, docx, xlsx, jar
  [0x50, 0x4b, 0x05, 0x06], // zip without files
  [0x52, 0x61, 0x72, 0x21, 0x1a], // rar
  [0x1f, 0x8b], // gzip
  [0x89, 0x50, 0x4e, 0x47], // png
  [0xff, 0xd8, 0xff], // jpeg
  [0x47, 0x49, 0x46, 0x38], // gif
  [0x52, 0x49, 0x46, 0x46], // webp, wav, avi
  [0x7f, 0x45, 0x4c, 0x46], // elf
  [0x4d, 0x5a, 0x90, 0x00], // exe
  [0x37, 0x7a, 0xbc, 0xaf], // 7z
  [0x28, 0xb5, 0x2f, 0xfd], // zstandard
  [0xfd, 0x37, 0x7a, 0x58], // xz
  [0x42, 0x5a, 0x68], // bzip2
  [0xd0, 0xcf, 0x11, 0xe0], // old office files
  [0x00, 0x61, 0x73, 0x6d], // wasm
  [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], // sqlite
  [0x4f, 0x67, 0x67, 0x53, 0x00], // ogg
  [0x49, 0x44, 0x33, 0x03], // mp3
  [0x49, 0x44, 0x33, 0x04], // mp3
  [0x77, 0x4f, 0x46, 0x46], // woff
  [0x77, 0x4f, 0x46, 0x32], // woff2
  [0xca, 0xfe, 0xba, 0xbe], // java, mach-o
  [0x7b, 0x5c, 0x72, 0x74, 0x66], // rtf
];

/** How far in a PDF's mark may stand: readers of PDF accept junk before it. */
const PDF_MARK_REACH = 1024;
/** How much of a body is looked at to tell what it is. */
const SNIFF_REACH = 2048;

/** Judges a body: the first bytes count for more than the label, because servers mislabel. */
export function contentKind(bytes: Buffer, contentType: string): ContentKind {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  const mark = bytes.subarray(0, PDF_MARK_REACH).indexOf("%PDF-");
  if (mark === 0 || (mark > 0 && !isTextType(type))) return "pdf";
  if (type === "application/pdf" || type === "application/x-pdf") return "pdf";
  if (MAGIC.some((magic) => magic.every((byte, index) => bytes[index] === byte))) return "binary";
  if (/^(image|audio|video|font|model)\//.test(type) && type !== "image/svg+xml") return "binary";
  if (type === "text/html" || type === "application/xhtml+xml") return isBareJson(bytes) ? "json" : "html";
  if (/[/+]json$|javascript$|ndjson$/.test(type)) return "json";
  if (isTextType(type)) return "text";
  return sniff(bytes);
}

function isTextType(type: string): boolean {
  return type.startsWith("text/") || /[/+](xml|yaml|json|toml|javascript)$/.test(type);
}

/** Some servers call their data a page. */
function isBareJson(bytes: Buffer): boolean {
  return (
    /^(\{\s*"|\[\s*[{["\d])/.test(headOf(bytes)) && /[}\]]\s*$/.test(bytes.subarray(-64).toString("latin1"))
  );
}

/** For bodies with no label, or a label that says nothing (`application/octet-stream`). */
function sniff(bytes: Buffer): ContentKind {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const isUtf16 = marked || unmarkedUtf16(bytes) !== undefined;
  if (!isUtf16 && bytes.subarray(0, SNIFF_REACH).includes(0)) return "binary";
  const text = headOf(bytes);
  if (/^<(!doctype html|html|head|body|!--)/i.test(text)) return "html";
  return /^[[{]/.test(text) ? "json" : "text";
}

/** A body's first signs, as far as they are ASCII, whatever the encoding. */
function headOf(bytes: Buffer): string {
  return bytes
    .subarray(0, SNIFF_REACH)
    .toString("latin1")
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .trimStart();
}

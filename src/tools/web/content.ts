/** What a body is, by its label and its first bytes. */
export type ContentKind = "html" | "pdf" | "json" | "text" | "binary";

/** The first bytes of formats that are no text, whatever the server calls them. */
const MAGIC: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04], // zip, docx, xlsx, jar
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
];

/** How far in a PDF's mark may stand: readers of PDF accept junk before it. */
const PDF_MARK_REACH = 1024;

/** Judges a body: the first bytes count for more than the label, because servers mislabel. */
export function contentKind(bytes: Buffer, contentType: string): ContentKind {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  const mark = bytes.subarray(0, PDF_MARK_REACH).indexOf("%PDF-");
  if (mark === 0 || (mark > 0 && !isTextType(type))) return "pdf";
  if (type === "application/pdf" || type === "application/x-pdf") return "pdf";
  if (MAGIC.some((magic) => magic.every((byte, index) => bytes[index] === byte))) return "binary";
  if (/^(image|audio|video|font|model)\//.test(type) && type !== "image/svg+xml") return "binary";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/[/+]json$|javascript$|ndjson$/.test(type)) return "json";
  if (isTextType(type)) return "text";
  return sniff(bytes);
}

function isTextType(type: string): boolean {
  return type.startsWith("text/") || /[/+](xml|yaml|json|toml|rtf|javascript)$/.test(type);
}

/** For bodies with no label, or a label that says nothing (`application/octet-stream`). */
function sniff(bytes: Buffer): ContentKind {
  const head = bytes.subarray(0, 2048);
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (!utf16 && head.includes(0)) return "binary";
  const text = head.toString("latin1").trimStart();
  if (/^<(!doctype html|html|head|body|!--)/i.test(text)) return "html";
  if (/^[[{]/.test(text)) return "json";
  return "text";
}

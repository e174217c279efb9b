import type * as pdfjs from "pdfjs-dist/legacy/build/pdf.mjs";
import { CANCELLED, describeError, failed, success, type Result } from "../../agent/failure.ts";
import { pdfBomb } from "./pdf-bomb.ts";
import type { FetchedBody, ReadDocument } from "./reader.ts";

/** What is read of a PDF at most. */
const MAX_PAGES = 300;
const MAX_CHARACTERS = 2_000_000;
const MAX_MS = 10_000;

type PdfLibrary = typeof pdfjs;
type PdfDocument = Awaited<ReturnType<PdfLibrary["getDocument"]>["promise"]>;

let library: Promise<PdfLibrary> | undefined;

/**
 * The text of a PDF with a mark before each page. A scan without a text layer, a protected or a damaged file is a
 * failure that says so. Stops between two pages when the signal fires.
 */
export async function readPdf(body: FetchedBody, signal: AbortSignal): Promise<Result<ReadDocument>> {
  if (body.cut) return notReadable("it is larger than the limit");
  if (pdfBomb(body.bytes)) return notReadable("it unfolds to more than the limit");
  let task: ReturnType<PdfLibrary["getDocument"]> | undefined;
  const tables = new CharacterTables();
  try {
    const { getDocument } = await (library ??= loadLibrary());
    task = getDocument({
      // pdf.js takes the bytes over; a Buffer it would refuse.
      data: Uint8Array.from(body.bytes),
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWasm: false,
      CMapReaderFactory: tables.factory,
      verbosity: 0,
    });
    return await readPages(await task.promise, tables, signal);
  } catch (error) {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const locked = error instanceof Error && error.name === "PasswordException";
    return notReadable(locked ? "it is protected by a password" : "it is damaged", describeError(error));
  } finally {
    await task?.destroy().catch(() => undefined);
  }
}

async function readPages(
  document: PdfDocument,
  tables: CharacterTables,
  signal: AbortSignal,
): Promise<Result<ReadDocument>> {
  const { numPages } = document;
  const end = performance.now() + MAX_MS;
  const parts: string[] = [];
  let length = 0;
  let read = 0;
  let hasText = false;
  while (read < Math.min(numPages, MAX_PAGES) && length < MAX_CHARACTERS && performance.now() < end) {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    read += 1;
    const text = await pageText(document, read);
    hasText ||= text !== "";
    parts.push(`[page ${read}]\n${text}`);
    length += text.length;
  }
  if (!hasText && tables.missed) return notReadable("it needs tables of characters that are not here");
  if (!hasText) {
    return failed("tool_failed", `PDF of ${pages(numPages)} with no text layer: a scan, not readable here.`);
  }
  const notes = [
    ...(read < numPages ? [`Only the first ${read} of ${numPages} pages were read.`] : []),
    ...(tables.missed ? ["Text in some fonts can't be read here: this may be incomplete or wrong."] : []),
  ];
  return success({
    kind: `PDF, ${pages(numPages)}`,
    title: await titleOf(document),
    text: parts.join("\n\n"),
    notes,
  });
}

async function pageText(document: PdfDocument, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  let text = "";
  for (const item of items) {
    if ("str" in item) text += item.hasEOL ? `${item.str}\n` : item.str;
  }
  page.cleanup();
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}

async function titleOf(document: PdfDocument): Promise<string> {
  const { info } = await document.getMetadata();
  const title: unknown = "Title" in info ? info.Title : "";
  return typeof title === "string" ? title.trim().slice(0, 300) : "";
}

function pages(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}

function notReadable(why: string, cause?: string): Result<never> {
  return failed("tool_failed", `PDF, not readable here: ${why}.`, cause === undefined ? {} : { cause });
}

/**
 * The tables of characters that old Chinese, Japanese and Korean files name instead of bringing their own. They are not
 * shipped, being large and rarely needed; whether one was missed is kept.
 */
class CharacterTables {
  missed = false;
  readonly factory: new () => { fetch(): Promise<never> };

  constructor() {
    const miss = (): void => {
      this.missed = true;
    };
    this.factory = class {
      fetch(): Promise<never> {
        miss();
        return Promise.reject(new Error("this table is not here"));
      }
    };
  }
}

/** Loads pdf.js on first use: it is large, and most turns read no PDF. */
async function loadLibrary(): Promise<PdfLibrary> {
  standIn("DOMMatrix");
  standIn("ImageData");
  standIn("Path2D");
  const { stringify } = JSON;
  const worker = await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
  Object.assign(globalThis, { pdfjsWorker: worker });
  const loaded = await import("pdfjs-dist/legacy/build/pdf.mjs");
  // It puts a copy for old engines in place of this one, ten times slower for everyone in the process.
  JSON.stringify = stringify;
  return loaded;
}

/** pdf.js names drawing classes when it loads; text needs none of them, so empty ones do. */
function standIn(name: string): void {
  if (!(name in globalThis)) Object.assign(globalThis, { [name]: Object });
}

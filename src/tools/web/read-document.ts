import { CANCELLED, describeError, failed, success, type Result } from "../../agent/failure.ts";
import { decodeText } from "./charset.ts";
import { contentKind, type ContentKind } from "./content.ts";
import { extractMainText } from "./main-text.ts";
import { readPdf } from "./pdf.ts";
import type { DocumentReader, FetchedBody, ReadDocument } from "./reader.ts";

/** Reads bodies on the calling thread: for tests and for the worker's own use. */
export const inlineReader: DocumentReader = {
  read: readDocument,
  dispose: () => Promise.resolve(),
};

/** Turns a body into text on the calling thread. */
export async function readDocument(body: FetchedBody, signal: AbortSignal): Promise<Result<ReadDocument>> {
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  if (body.bytes.length === 0) return failed("tool_failed", `${body.url} answered with an empty body.`);
  try {
    const kind = contentKind(body.bytes, body.contentType);
    if (kind === "pdf") return await readPdf(body, signal);
    if (kind === "binary") return failed("tool_failed", `Not a text (${label(body)}), not readable here.`);
    return readText(body, kind);
  } catch (error) {
    return failed("tool_failed", "The page could not be read.", { cause: describeError(error) });
  }
}

function readText(body: FetchedBody, kind: Exclude<ContentKind, "pdf" | "binary">): Result<ReadDocument> {
  const decoded = decodeText(body.bytes, body.contentType);
  if (decoded.garbled) {
    return failed("tool_failed", `Encoding not understood: the text of ${body.url} can't be read.`);
  }
  const notes = [
    ...(decoded.note === undefined ? [] : [decoded.note]),
    ...(body.cut ? [`Only the first ${megabytes(body.bytes.length)} were read.`] : []),
  ];
  if (decoded.text.trim() === "") return failed("tool_failed", `${body.url} holds no text.`);
  if (kind !== "html") {
    return success({ kind: kind === "json" ? "JSON" : "text", title: "", text: decoded.text, notes });
  }
  const page = extractMainText(decoded.text, body.url);
  if (page.problem !== undefined) return failed("tool_failed", page.problem);
  return success({
    kind: page.pageType,
    title: page.title,
    text: page.markdown,
    notes: [...notes, ...page.notes],
  });
}

function label(body: FetchedBody): string {
  const type = (body.contentType.split(";")[0] ?? "").trim().slice(0, 60);
  return `${type === "" ? "no content type" : type}, ${megabytes(body.bytes.length)}${body.cut ? " and more" : ""}`;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

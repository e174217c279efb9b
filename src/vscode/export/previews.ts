import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { FORMATS } from "../../trace/export/formats.ts";
import { exportTrace, type ExportSink } from "../../trace/export/run.ts";
import { moment } from "../../trace/export/story/words.ts";
import type { ExportFigures, ExportRequest, ExportSource } from "../../trace/export/types.ts";

/** Texts up to so many UTF-16 units are kept whole; longer ones are written again when they are saved. */
const MAX_KEPT = 16_000_000;

/** So much of a text is shown; editors don't take more easily. */
const MAX_SHOWN = 2_000_000;

/** An export that was looked at, and not written anywhere yet. */
export interface Preview {
  /** Where it was read, for one that is written again. */
  readonly source: ExportSource;
  readonly request: ExportRequest;
  readonly figures: ExportFigures;
  /** The beginning of the text, as much as is shown. */
  readonly shown: string;
  /** All of it; absent when it is too long to be kept. */
  readonly whole?: string;
  /** What a file of it is to be called. */
  readonly fileName: string;
}

/** Makes the text of an export, without writing it anywhere. */
export async function makePreview(
  source: ExportSource,
  request: ExportRequest,
  run: { readonly signal: AbortSignal; readonly onProgress?: (events: number) => void },
): Promise<Result<Preview>> {
  const kept: string[] = [];
  let length = 0;
  const sink = (piece: string): void => {
    length += piece.length;
    if (length - piece.length < MAX_KEPT) kept.push(piece);
  };
  const done = await exportTrace(source, request, sink, run);
  if (!done.ok) return done;
  const text = kept.join("");
  const isWhole = length === text.length;
  // Of the question as it goes out: a name tells no secret either.
  const fileName = fileNameOf(done.value.title, FORMATS[request.format].extension, done.value.time);
  return success({
    ...{ source, request, figures: done.value, fileName, shown: text.slice(0, MAX_SHOWN) },
    ...(isWhole && { whole: text }),
  });
}

/**
 * Writes the text of a preview, exactly what was looked at: a long one is made again of the same events. A failure
 * when the log has changed since, such as by forgetting.
 */
export async function writePreview(
  { source, request, figures, whole }: Preview,
  sink: ExportSink,
  signal: AbortSignal,
): Promise<Result<true>> {
  if (whole !== undefined) {
    await sink(whole);
    return success(true);
  }
  const again = await exportTrace(source, request, sink, { signal, most: figures.events });
  if (!again.ok) return again;
  if (again.value.bytes === figures.bytes) return success(true);
  return failed("internal", "The session has changed since you looked at it. Export it again.");
}

/** The name of a file for an export: made of what was asked, safe on every disk. */
export function fileNameOf(title: string, extension: string, time: number): string {
  const words = title
    .replace(/\[(?:redacted|left out):[^\]]*\]/g, " ")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  const day = moment(time).slice(0, 10);
  return `${["conclave", words, day].filter((part) => part !== "").join("-")}.${extension}`;
}

/** The previews of a window by the addresses of their documents; the oldest are let go. */
export class Previews {
  readonly #byUri = new Map<string, Preview>();
  #last: string | undefined;

  /** Keeps a preview under the address of its document. */
  keep(uri: string, preview: Preview): void {
    this.#byUri.delete(uri);
    this.#byUri.set(uri, preview);
    this.#last = uri;
    const oldest = this.#byUri.keys().next().value;
    if (this.#byUri.size > MAX_PREVIEWS && oldest !== undefined) this.#byUri.delete(oldest);
  }

  /** The preview of a document, else the latest. */
  find(uri: string | undefined): Preview | undefined {
    return this.#byUri.get(uri ?? "") ?? this.#byUri.get(this.#last ?? "");
  }
}

const MAX_PREVIEWS = 4;

import type { Result } from "../../agent/failure.ts";

/** A body as it came from a server. */
export interface FetchedBody {
  /** Where it came from, after redirects: links are made absolute against it. */
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** True when only the beginning of the body is in `bytes`. */
  readonly cut: boolean;
}

/** A body as text that a model can read. */
export interface ReadDocument {
  /** Such as "page", "article", "PDF, 12 pages", "JSON". */
  readonly kind: string;
  readonly title: string;
  /** Markdown for pages, plain text for the rest. */
  readonly text: string;
  /** Things to know about the text, a sentence each: encoding, parts that are missing. */
  readonly notes: readonly string[];
}

/**
 * Turns bodies into text. Never throws; what can't be read is a failure with a sentence for the model. Stops within a
 * moment of the signal.
 */
export interface DocumentReader {
  read(body: FetchedBody, signal: AbortSignal): Promise<Result<ReadDocument>>;
  /** Frees what the reader holds; running reads end as cancelled. */
  dispose(): Promise<void>;
}

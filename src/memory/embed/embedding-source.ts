import type { Result } from "../../agent/failure.ts";
import type { VectorKind } from "../store/vectors.ts";

/** What a vector is stored with, beside its kind and its model. */
export interface SourceRow {
  /** The id of the row that is embedded; for a window the id of the episode in its middle. */
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly scope: string;
}

/** Some rows, and where the next ones begin; `next` is absent at the end. */
export interface SourcePage<R extends SourceRow> {
  readonly rows: readonly R[];
  readonly next?: string;
}

/**
 * A kind of rows that are found by meaning. Whoever keeps such rows gives one of these, and all of them come to be
 * embedded with the model in use, also after a switch of models. Rows may come and go while it is read: what one walk
 * misses the next one brings.
 */
export interface EmbeddingSource<R extends SourceRow = SourceRow> {
  readonly kind: VectorKind;
  /** How many rows there are. */
  count(signal: AbortSignal): Promise<Result<number>>;
  /** At most `limit` rows after a cursor that an earlier page gave; from the start when left out. */
  page(cursor: string | undefined, limit: number, signal: AbortSignal): Promise<Result<SourcePage<R>>>;
  /** What is embedded of each of these rows, in order. */
  texts(rows: readonly R[], signal: AbortSignal): Promise<Result<readonly string[]>>;
  /** Which of these ids there still are: what was forgotten meanwhile gets no embedding. */
  present(ids: readonly string[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>>;
}

import type { Result } from "../../agent/failure.ts";

/** The model that is used unless the user chose another: 384 floats, quantized. */
export const EMBEDDING_MODEL = "Xenova/all-MiniLM-L6-v2";

/** Which side of a search a text is on: some models want to be told. */
export type TextKind = "query" | "document";

/** Turns texts into vectors whose cosine says how alike they are. */
export interface Embedder {
  /** The model's id; embeddings of different models are never compared. */
  readonly model: string;
  /** The length of its vectors. */
  readonly dimensions: number;
  /** A sentence for people when it works, but not as it should: slower than it could be. */
  readonly note?: string;
  /**
   * One normalised vector of `dimensions` floats for each text, in order. What the model wants before a query or a
   * document is put there. Never throws; stops between batches.
   */
  embed(
    texts: readonly string[],
    kind: TextKind,
    signal: AbortSignal,
  ): Promise<Result<readonly Float32Array[]>>;
}

/** How an embedder is come by: loading takes a second, or a download the first time. */
export type EmbedderSource = (signal: AbortSignal) => Promise<Result<Embedder>>;

/** The embedder of a search, or the sentence that says why there is none. */
export type EmbedderOrNote = { readonly embedder: Embedder } | { readonly note: string };

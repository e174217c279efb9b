import type { Result } from "../../agent/failure.ts";

/** The model that is used: 384 floats, quantized. */
export const EMBEDDING_MODEL = "Xenova/all-MiniLM-L6-v2";

/** Turns texts into vectors whose cosine says how alike they are. */
export interface Embedder {
  /** The model's id; embeddings of different models are never compared. */
  readonly model: string;
  /** One normalised vector of `DIMENSIONS` floats for each text. Never throws; stops between batches. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Result<readonly Float32Array[]>>;
}

/** How an embedder is come by: loading takes a second, or a download the first time. */
export type EmbedderSource = (signal: AbortSignal) => Promise<Result<Embedder>>;

import type { Result } from "../../agent/failure.ts";

/** What an embedding is of. */
export type VectorKind = "episode" | "window" | "fact" | "entity" | "resource" | "moment";

/** All kinds. */
export const KINDS: readonly VectorKind[] = ["episode", "window", "fact", "entity", "resource", "moment"];

/** An embedding on its way into the store. */
export interface VectorRow {
  readonly id: string;
  readonly kind: VectorKind;
  readonly sessionId: string;
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Empty: global. */
  readonly scope: string;
  readonly embedding: Float32Array;
}

/** Takes embeddings into the store. */
export interface VectorSink {
  /** Writes embeddings and gives how many; a later row with the same id and kind replaces the older. */
  put(model: string, rows: readonly VectorRow[], signal: AbortSignal): Promise<Result<number>>;
}

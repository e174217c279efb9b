import type { Embedder } from "./embed/embedder.ts";
import type { Database } from "./store/database.ts";
import type { Vectors } from "./store/vectors.ts";

/** What the parts of memory that keep facts, the graph and resources are made of. */
export interface KnowledgeDeps {
  readonly database: Database;
  readonly vectors: Vectors;
  /** The embedder that is ready now; nothing waits for one that loads. */
  readonly embedder: () => Embedder | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID. */
  readonly newId: () => string;
}

import { success } from "../../src/agent/failure.ts";
import type { MemorySearch } from "../../src/agent/memory/port.ts";
import type { Embedder } from "../../src/memory/embed/embedder.ts";
import { retrieve } from "../../src/memory/retrieval/retrieve.ts";
import { StoreCandidates } from "../../src/memory/retrieval/store-candidates.ts";
import { Directions, near, randomFrom, textOf } from "./memory-data.ts";
import { MODEL, never, valueOf, type BenchStore } from "./memory-store.ts";

/** A question and what an embedder would have made of it. */
export interface Question {
  readonly text: string;
  readonly embedding: Float32Array;
}

/** Questions that are about what the store holds: words of its kind, embeddings near to its own. */
export function questions(count: number): Question[] {
  const random = randomFrom(11);
  // The same numbers as the store's, so that the questions lie around the same directions.
  const directions = new Directions(randomFrom(7));
  return Array.from({ length: count }, () => ({
    text: textOf(random, 6),
    embedding: near(directions.next(random), 0.3, random),
  }));
}

/** The product's search of a question whose embedding is known. */
export async function search(store: BenchStore, question: Question): Promise<MemorySearch> {
  const embedder: Embedder = {
    model: MODEL,
    dimensions: question.embedding.length,
    embed: () => Promise.resolve(success([question.embedding])),
  };
  const deps = {
    source: new StoreCandidates(store),
    vector: { embedder },
    now: Date.now,
    timeZone: "UTC",
  };
  return valueOf(await retrieve(deps, { query: question.text }, never));
}

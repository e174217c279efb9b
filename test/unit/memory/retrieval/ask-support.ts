import { failed } from "../../../../src/agent/failure.ts";
import type { MemoryQuery, MemorySearch } from "../../../../src/agent/memory/port.ts";
import type { EmbedderOrNote } from "../../../../src/memory/embed/embedder.ts";
import type { CandidateSource } from "../../../../src/memory/retrieval/candidates.ts";
import { retrieve, type RetrieveDeps } from "../../../../src/memory/retrieval/retrieve.ts";
import { StoreCandidates } from "../../../../src/memory/retrieval/store-candidates.ts";
import type { Store } from "../store-support.ts";
import { episode, fakeEmbedder, never, valueOf } from "../support.ts";

/** Knows of two pairs of words that mean the same. */
export const embedder = fakeEmbedder({ feline: "cat", vessel: "boat" });
export const withEmbedder: EmbedderOrNote = { embedder };
export const without: EmbedderOrNote = { note: "Full-text search only: no model." };

/** The moment of all searches: Saturday 5 December 2026. */
const NOW = Date.UTC(2026, 11, 5, 12);

/** What a search works with, at one moment in UTC. */
export function deps(source: CandidateSource, vector: EmbedderOrNote = withEmbedder): RetrieveDeps {
  return { source, vector, now: () => NOW, timeZone: "UTC" };
}

/** Searches a store for five hits, unless `rest` says otherwise. */
export async function ask(
  store: Store,
  query: string,
  vector: EmbedderOrNote = withEmbedder,
  rest: Partial<MemoryQuery> = {},
): Promise<MemorySearch> {
  const request = { query, limit: 5, ...rest };
  return valueOf(await retrieve(deps(new StoreCandidates(store), vector), request, never));
}

/** A store whose full text can't be read. */
export function withoutText(store: Store): CandidateSource {
  const source = new StoreCandidates(store);
  source.matching = () => Promise.resolve(failed("memory_unavailable", "the index is gone."));
  return source;
}

/** An episode in a session of its own. */
export function alone(question: string, answer = ""): ReturnType<typeof episode> {
  const made = episode({ question, answer });
  return { ...made, sessionId: made.id };
}

/** The ids of the episodes found, best first. */
export function found({ hits }: MemorySearch): string[] {
  return hits.map((hit) => hit.episode.id);
}

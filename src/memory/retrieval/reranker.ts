import type { Result } from "../../agent/failure.ts";
import type { MemoryQuery, RetrievalSettings } from "../../agent/memory/port.ts";

/** A model that reads question and memory together and says how well the one answers the other. */
export interface Reranker {
  /** The model's id. */
  readonly model: string;
  /** One score for each text, in order, 0..1. Never throws; stops between batches. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<Result<readonly number[]>>;
}

/** The reranker of a search, or the sentence that says why there is none. */
export type RerankerOrNote = { readonly reranker: Reranker } | { readonly note: string };

/** What the reranker counts; the rest is what the views said. */
const SHARE = 0.5;

/** A memory that can be looked at once more. */
interface Rerankable {
  readonly relevance: number;
  readonly text: string;
  readonly parts: Readonly<Record<string, number>>;
}

/** What reranking works with. */
interface RerankContext {
  readonly query: MemoryQuery;
  readonly settings: RetrievalSettings;
  readonly reranking?: RerankerOrNote | undefined;
  readonly signal: AbortSignal;
}

/**
 * Has the reranker look at memories once more, where the settings want it and its model is there: their relevance is
 * then half what the views said, half what it says. When it fails, all stays as it was, with a note.
 */
export async function rerank<T extends Rerankable>(
  { query, settings, reranking, signal }: RerankContext,
  items: readonly T[],
): Promise<{ readonly items: readonly T[]; readonly note?: string }> {
  if (!settings.rerank || items.length === 0) return { items };
  if (reranking === undefined) return { items, note: "Without the reranker: its model is not there." };
  if ("note" in reranking) return { items, note: reranking.note };
  const scores = await reranking.reranker.score(
    query.query,
    items.map(({ text }) => text),
    signal,
  );
  if (!scores.ok) return { items, note: `Without the reranker: ${scores.failure.message}` };
  return {
    items: items.map((item, index) => {
      const score = scores.value[index] ?? 0;
      const relevance = (1 - SHARE) * item.relevance + SHARE * score;
      return { ...item, relevance, parts: { ...item.parts, rerank: score } };
    }),
  };
}

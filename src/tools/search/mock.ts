import { CANCELLED, success, type Result } from "../../agent/failure.ts";
import type { SearchAccess, SearchAnswer, SearchProvider, SearchQuery } from "./types.ts";

/** Made-up results that depend on the question alone, to try things out and test without a network. */
export const mockSearch: SearchProvider = {
  name: "mock",
  label: "Mock search",
  needsKey: false,
  search(query: SearchQuery, _access: SearchAccess, signal: AbortSignal): Promise<Result<SearchAnswer>> {
    if (signal.aborted) return Promise.resolve({ ok: false, failure: CANCELLED });
    const topic = query.query.trim().slice(0, 80);
    const hits = ["An overview", "A guide", "Questions and answers", "A history", "A comparison"].map(
      (kind, index) => ({
        title: `${kind}: ${topic}`,
        url: `https://example.com/${index + 1}`,
        snippet: `Made-up result ${index + 1} for "${topic}". Nothing was searched.`,
      }),
    );
    return Promise.resolve(success({ hits: hits.slice(0, query.limit) }));
  },
};

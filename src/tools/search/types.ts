import type { Result } from "../../agent/failure.ts";

/** The search engines that can be asked. */
export const SEARCH_PROVIDERS = ["searxng", "brave", "tavily", "ollama", "mock"] as const;

/** The name of a search engine. */
export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];

/** One hit of a web search; all of it is text that others wrote. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** What a search came to. An empty list means that the engine looked and found nothing. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
}

/** What a search engine is asked. */
export interface SearchQuery {
  readonly query: string;
  /** At most this many hits. */
  readonly limit: number;
  /** The time for the whole search. */
  readonly timeoutMs: number;
  /** Address of the proxy that leads out, where the user set one. */
  readonly proxy?: string | undefined;
}

/** Where a search engine is and how it knows the user. */
export interface SearchAccess {
  /** Replaces the engine's own address; SearXNG has none of its own. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

/**
 * A search engine. `search` must not throw and stops within a moment of the signal; failures are values whose sentence
 * says what to change.
 */
export interface SearchProvider {
  readonly name: SearchProviderName;
  /** As people call it. */
  readonly label: string;
  readonly needsKey: boolean;
  search(query: SearchQuery, access: SearchAccess, signal: AbortSignal): Promise<Result<SearchAnswer>>;
}

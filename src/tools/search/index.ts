import { brave } from "./brave.ts";
import { mockSearch } from "./mock.ts";
import { ollamaSearch } from "./ollama.ts";
import { Pacer } from "./pacer.ts";
import { RateLimits } from "./rate-limit.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";
import type { SearchProvider, SearchProviderName } from "./types.ts";

/** The gap between two requests to Brave on its free plan. */
const BRAVE_GAP_MS = 1_000;

/**
 * All search engines by name. They share one memory of rate limits, which lives as long as this does.
 * @param now milliseconds since the epoch
 */
export function createProviders(now: () => number): Readonly<Record<SearchProviderName, SearchProvider>> {
  const limits = new RateLimits(now);
  return {
    searxng: searxng(limits, now),
    brave: brave(limits, new Pacer(BRAVE_GAP_MS, now), now),
    tavily: tavily(limits, now),
    ollama: ollamaSearch(limits, now),
    mock: mockSearch,
  };
}

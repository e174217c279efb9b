import { brave } from "./brave.ts";
import { keyedEngine } from "./keyed-engine.ts";
import { mockSearch } from "./mock.ts";
import { ollamaSearch } from "./ollama.ts";
import { Pacer } from "./pacer.ts";
import { RateLimits } from "./rate-limit.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";
import type { SearchProvider, SearchProviderName } from "./types.ts";

/** The free plan of Brave takes one request a second. */
const BRAVE_GAP_MS = 1_000;

/**
 * All search engines by name. They share one memory of rate limits, which lives as long as this does.
 * @param now milliseconds since the epoch
 */
export function createProviders(now: () => number): Readonly<Record<SearchProviderName, SearchProvider>> {
  const limits = new RateLimits(now);
  return {
    searxng: searxng(limits, now),
    brave: keyedEngine(brave, { limits, now, pacer: new Pacer(BRAVE_GAP_MS, now) }),
    tavily: keyedEngine(tavily, { limits, now }),
    ollama: keyedEngine(ollamaSearch, { limits, now }),
    mock: mockSearch,
  };
}

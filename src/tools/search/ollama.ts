import { z } from "zod";
import { success, type Result } from "../../agent/failure.ts";
import { engineFailure, notSetUp } from "./errors.ts";
import { resultSchema, toHits } from "./hits.ts";
import { askEngine, readJson } from "./exchange.ts";
import type { RateLimits } from "./rate-limit.ts";
import type { SearchAccess, SearchAnswer, SearchProvider, SearchQuery } from "./types.ts";

const LABEL = "Ollama web search";
const ADDRESS = "https://ollama.com";

const answerSchema = z.object({
  results: z.array(resultSchema).nullish(),
});
const errorSchema = z.object({ error: z.string() });

/** Web search by Ollama's own service: a key of ollama.com, not the local server. */
export function ollamaSearch(limits: RateLimits, now: () => number): SearchProvider {
  return {
    name: "ollama",
    label: LABEL,
    needsKey: true,
    async search(
      query: SearchQuery,
      access: SearchAccess,
      signal: AbortSignal,
    ): Promise<Result<SearchAnswer>> {
      if (!access.apiKey) return notSetUp(LABEL, "an API key", "conclave.web.search.provider");
      const base = access.baseUrl ?? ADDRESS;
      const key = `ollama ${base}`;
      const paused = limits.paused(key, LABEL);
      if (paused) return { ok: false, failure: paused };
      const response = await askEngine(
        {
          label: LABEL,
          method: "POST",
          url: `${base.replace(/\/+$/, "")}/api/web_search`,
          headers: {
            accept: "application/json",
            authorization: `Bearer ${access.apiKey}`,
            "content-type": "application/json",
          },
          body: JSON.stringify({ query: query.query, max_results: Math.min(10, query.limit) }),
        },
        signal,
      );
      if (!response.ok) return response;
      const problem = engineFailure(response.value, { label: LABEL, key, limits, now, detail });
      if (problem) return { ok: false, failure: problem };
      const answer = readJson(LABEL, response.value.text, answerSchema);
      if (!answer.ok) return answer;
      return success({
        hits: toHits(answer.value.results ?? [], query.limit),
      });
    },
  };
}

function detail(text: string): string | undefined {
  const read = readJson(LABEL, text, errorSchema);
  return read.ok ? read.value.error : undefined;
}

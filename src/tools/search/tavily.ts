import { z } from "zod";
import { success, type Result } from "../../agent/failure.ts";
import { engineFailure, notSetUp } from "./errors.ts";
import { resultSchema, toHits } from "./hits.ts";
import { askEngine, readJson } from "./exchange.ts";
import type { RateLimits } from "./rate-limit.ts";
import type { SearchAccess, SearchAnswer, SearchProvider, SearchQuery } from "./types.ts";

const LABEL = "Tavily";
const ADDRESS = "https://api.tavily.com";

const answerSchema = z.object({
  results: z.array(resultSchema),
});
const errorSchema = z.object({ detail: z.union([z.object({ error: z.string() }), z.string()]) });

/** Tavily's search API. */
export function tavily(limits: RateLimits, now: () => number): SearchProvider {
  return {
    name: "tavily",
    label: LABEL,
    needsKey: true,
    async search(
      query: SearchQuery,
      access: SearchAccess,
      signal: AbortSignal,
    ): Promise<Result<SearchAnswer>> {
      if (!access.apiKey) return notSetUp(LABEL, "an API key", "conclave.web.search.provider");
      const base = access.baseUrl ?? ADDRESS;
      const key = `tavily ${base}`;
      const paused = limits.paused(key, LABEL);
      if (paused) return { ok: false, failure: paused };
      const response = await askEngine(
        {
          label: LABEL,
          method: "POST",
          url: `${base.replace(/\/+$/, "")}/search`,
          headers: {
            accept: "application/json",
            authorization: `Bearer ${access.apiKey}`,
            "content-type": "application/json",
          },
          body: JSON.stringify({
            query: query.query,
            max_results: Math.min(20, query.limit),
            search_depth: "basic",
            topic: "general",
            include_raw_content: false,
          }),
        },
        signal,
      );
      if (!response.ok) return response;
      const problem = engineFailure(response.value, { label: LABEL, key, limits, now, detail });
      if (problem) return { ok: false, failure: problem };
      const answer = readJson(LABEL, response.value.text, answerSchema);
      if (!answer.ok) return answer;
      return success({
        hits: toHits(answer.value.results, query.limit),
      });
    },
  };
}

function detail(text: string): string | undefined {
  const read = readJson(LABEL, text, errorSchema);
  if (!read.ok) return undefined;
  return typeof read.value.detail === "string" ? read.value.detail : read.value.detail.error;
}

import { z } from "zod";
import { success, type Result } from "../../agent/failure.ts";
import { engineFailure, notSetUp, type EngineErrors } from "./errors.ts";
import { askEngine, readJson } from "./exchange.ts";
import type { Pacer } from "./pacer.ts";
import type { RateLimits } from "./rate-limit.ts";
import type { SearchAccess, SearchAnswer, SearchProvider, SearchQuery } from "./types.ts";

const LABEL = "Brave Search";
const ADDRESS = "https://api.search.brave.com";
/** What Brave takes of a question. */
const MAX_CHARACTERS = 400;
const MAX_WORDS = 50;

const answerSchema = z.object({
  web: z
    .object({
      results: z.array(
        z
          .object({ title: z.string().nullish(), url: z.string(), description: z.string().nullish() })
          .catch({ url: "" }),
      ),
    })
    .nullish(),
});
const errorSchema = z.object({ error: z.object({ detail: z.string() }) });

/** Brave's search API; the free plan takes one request a second, which `pacer` keeps. */
export function brave(limits: RateLimits, pacer: Pacer, now: () => number): SearchProvider {
  return {
    name: "brave",
    label: LABEL,
    needsKey: true,
    async search(
      query: SearchQuery,
      access: SearchAccess,
      signal: AbortSignal,
    ): Promise<Result<SearchAnswer>> {
      if (!access.apiKey) return notSetUp(LABEL, "an API key", "conclave.web.search.provider");
      const base = access.baseUrl ?? ADDRESS;
      const errors: EngineErrors = { label: LABEL, key: `brave ${base}`, limits, now, detail };
      const turn = await pacer.wait(signal);
      if (!turn.ok) return turn;
      const paused = limits.paused(errors.key, LABEL);
      if (paused) return { ok: false, failure: paused };
      const params = new URLSearchParams({
        q: shortQuery(query.query),
        count: String(Math.min(20, Math.max(1, query.limit))),
        text_decorations: "false",
      });
      const response = await askEngine(
        {
          label: LABEL,
          url: `${base.replace(/\/+$/, "")}/res/v1/web/search?${params.toString()}`,
          headers: { accept: "application/json", "x-subscription-token": access.apiKey },
        },
        signal,
      );
      if (!response.ok) return response;
      const problem = engineFailure(response.value, errors);
      if (problem) return { ok: false, failure: problem };
      const answer = readJson(LABEL, response.value.text, answerSchema);
      if (!answer.ok) return answer;
      const found = answer.value.web?.results ?? [];
      return success({
        hits: found
          .filter(({ url }) => url !== "")
          .slice(0, query.limit)
          .map(({ title, url, description }) => ({ title: title ?? url, url, snippet: description ?? "" })),
      });
    },
  };
}

/** Brave refuses longer questions; whole words are kept. */
function shortQuery(query: string): string {
  const words = query.trim().split(/\s+/).slice(0, MAX_WORDS);
  let short = words.join(" ");
  while (short.length > MAX_CHARACTERS && words.length > 1) {
    words.pop();
    short = words.join(" ");
  }
  return short.slice(0, MAX_CHARACTERS).toWellFormed();
}

function detail(text: string): string | undefined {
  const read = readJson(LABEL, text, errorSchema);
  return read.ok ? read.value.error.detail : undefined;
}

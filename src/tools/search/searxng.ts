import { z } from "zod";
import { failed, success, type Result } from "../../agent/failure.ts";
import { engineFailure, isHumanityTest, notSetUp, type EngineErrors } from "./errors.ts";
import { resultSchema, toHits } from "./hits.ts";
import { askEngine, readJson, type EngineResponse } from "./exchange.ts";
import type { RateLimits } from "./rate-limit.ts";
import type { SearchAccess, SearchAnswer, SearchProvider, SearchQuery } from "./types.ts";

const LABEL = "SearXNG";

const answerSchema = z.object({
  results: z.array(resultSchema),
  /** Pairs of an engine's name and what became of it; older servers list names alone. */
  unresponsive_engines: z.array(z.union([z.string(), z.array(z.unknown())])).catch([]),
});

/** A SearXNG server, usually the user's own: no key, and JSON must be allowed in its settings. */
export function searxng(limits: RateLimits, now: () => number): SearchProvider {
  return {
    name: "searxng",
    label: LABEL,
    needsKey: false,
    async search(
      query: SearchQuery,
      access: SearchAccess,
      signal: AbortSignal,
    ): Promise<Result<SearchAnswer>> {
      const base = access.baseUrl?.trim() ?? "";
      if (!URL.canParse(base)) return notSetUp(LABEL, "the address of a server", "conclave.web.search.url");
      const key = `searxng ${base}`;
      const paused = limits.paused(key, LABEL);
      if (paused) return { ok: false, failure: paused };
      const { timeoutMs, proxy } = query;
      const url = searchUrl(base, query.query);
      const response = await askEngine({ label: LABEL, url, timeoutMs, proxy }, signal);
      if (!response.ok) return response;
      return readAnswer(response.value, query.limit, { label: LABEL, key, limits, now });
    },
  };
}

function searchUrl(base: string, query: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith("/search") ? path : `${path}/search`;
  url.search = new URLSearchParams({ q: query, format: "json" }).toString();
  return url.href;
}

function readAnswer(response: EngineResponse, limit: number, errors: EngineErrors): Result<SearchAnswer> {
  if (response.status === 403 && !isHumanityTest(response)) {
    return failed(
      "tool_failed",
      `SearXNG did not search (403): JSON is not enabled on this instance. Add "json" to search.formats in its settings.yml and restart it, or choose another server.`,
      { action: "open_settings", target: "conclave.web.search.url", cause: response.text.slice(0, 300) },
    );
  }
  const problem = engineFailure(response, errors);
  if (problem) return { ok: false, failure: problem };
  const answer = readJson(LABEL, response.text, answerSchema);
  if (!answer.ok) return answer;
  const hits = toHits(answer.value.results, limit);
  const silent = answer.value.unresponsive_engines.map(engineName);
  if (hits.length === 0 && silent.length > 0) {
    const verb = `${joinNames(silent)} did not answer`;
    return failed(
      "tool_failed",
      `SearXNG gave 0 results: ${silent.length > 1 ? "engines" : "engine"} ${verb}.`,
    );
  }
  return success({ hits });
}

function engineName(entry: string | readonly unknown[]): string {
  const name: unknown = typeof entry === "string" ? entry : entry[0];
  return typeof name === "string" ? name.slice(0, 40) : "unnamed";
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, 8);
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

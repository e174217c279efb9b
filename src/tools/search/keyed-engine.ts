import type { z } from "zod";
import { success, type Result } from "../../agent/failure.ts";
import { engineFailure, notSetUp, type EngineErrors } from "./errors.ts";
import { askEngine, readJson, type EngineRequest } from "./exchange.ts";
import { toHits, type EngineResult } from "./hits.ts";
import type { Pacer } from "./pacer.ts";
import type { RateLimits } from "./rate-limit.ts";
import type { SearchAccess, SearchAnswer, SearchProvider, SearchProviderName, SearchQuery } from "./types.ts";

/** What sets one engine that wants a key apart from the others. */
export interface EngineDescription {
  readonly name: SearchProviderName;
  /** As people call it. */
  readonly label: string;
  /** Where it is, unless the user names another place. */
  readonly address: string;
  /** What is sent for a query; `path` goes below the address. */
  readonly request: (
    query: SearchQuery,
    apiKey: string,
  ) => Pick<EngineRequest, "method" | "headers" | "body"> & { readonly path: string };
  /** Reads the results out of an answer. */
  readonly results: z.ZodType<readonly EngineResult[]>;
  /** Reads the engine's own words out of an error's body. */
  readonly error: z.ZodType<string>;
}

/** What engines share, or keep between two searches. */
export interface EngineState {
  readonly limits: RateLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Spaces requests out, where an engine asks for that. */
  readonly pacer?: Pacer;
}

/** A search engine of the internet that is asked with a key and answers in JSON. */
export function keyedEngine(description: EngineDescription, state: EngineState): SearchProvider {
  const { name, label } = description;
  return {
    name,
    label,
    needsKey: true,
    search: (query, access, signal) => search(description, state, query, access, signal),
  };
}

async function search(
  description: EngineDescription,
  { limits, now, pacer }: EngineState,
  query: SearchQuery,
  access: SearchAccess,
  signal: AbortSignal,
): Promise<Result<SearchAnswer>> {
  const { name, label, address } = description;
  if (!access.apiKey) return notSetUp(label, "an API key", "conclave.web.search.provider");
  const base = (access.baseUrl ?? address).replace(/\/+$/, "");
  const detail = (text: string): string | undefined => {
    const read = readJson(label, text, description.error);
    return read.ok ? read.value : undefined;
  };
  const errors: EngineErrors = { label, key: `${name} ${base}`, limits, now, detail };
  const turn = await pacer?.wait(signal);
  if (turn?.ok === false) return turn;
  const paused = limits.paused(errors.key, label);
  if (paused) return { ok: false, failure: paused };
  const { path, ...request } = description.request(query, access.apiKey);
  const { timeoutMs, proxy } = query;
  const response = await askEngine({ label, url: base + path, timeoutMs, proxy, ...request }, signal);
  if (!response.ok) return response;
  const problem = engineFailure(response.value, errors);
  if (problem) return { ok: false, failure: problem };
  const results = readJson(label, response.value.text, description.results);
  return results.ok ? success({ hits: toHits(results.value, query.limit) }) : results;
}

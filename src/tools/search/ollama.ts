import { z } from "zod";
import { resultSchema } from "./hits.ts";
import type { EngineDescription } from "./keyed-engine.ts";

/** Web search by Ollama's own service: a key of ollama.com, not the local server. */
export const ollamaSearch: EngineDescription = {
  name: "ollama",
  label: "Ollama web search",
  address: "https://ollama.com",
  request: ({ query, limit }, apiKey) => ({
    method: "POST",
    path: "/api/web_search",
    headers: {
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ query, max_results: Math.min(10, limit) }),
  }),
  results: z.object({ results: z.array(resultSchema).nullish() }).transform(({ results }) => results ?? []),
  error: z.object({ error: z.string() }).transform(({ error }) => error),
};

import { z } from "zod";
import { resultSchema } from "./hits.ts";
import type { EngineDescription } from "./keyed-engine.ts";

/** Tavily's search API. */
export const tavily: EngineDescription = {
  name: "tavily",
  label: "Tavily",
  address: "https://api.tavily.com",
  request: ({ query, limit }, apiKey) => ({
    method: "POST",
    path: "/search",
    headers: {
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      query,
      max_results: Math.min(20, limit),
      search_depth: "basic",
      topic: "general",
      include_raw_content: false,
    }),
  }),
  results: z.object({ results: z.array(resultSchema) }).transform(({ results }) => results),
  error: z
    .object({
      detail: z.union([z.string(), z.object({ error: z.string() }).transform(({ error }) => error)]),
    })
    .transform(({ detail }) => detail),
};

import { z } from "zod";
import type { EngineDescription } from "./keyed-engine.ts";

/** What Brave takes of a question. */
const MAX_CHARACTERS = 400;
const MAX_WORDS = 50;

const resultSchema = z
  .object({ title: z.string().nullish(), url: z.string(), description: z.string().nullish() })
  .transform(({ title, url, description }) => ({ title, url, content: description }))
  .catch({ title: "", url: "", content: "" });

/** Brave's search API. */
export const brave: EngineDescription = {
  name: "brave",
  label: "Brave Search",
  address: "https://api.search.brave.com",
  request: ({ query, limit }, apiKey) => {
    const params = new URLSearchParams({
      q: shortQuery(query),
      count: String(Math.min(20, Math.max(1, limit))),
      text_decorations: "false",
    });
    return {
      path: `/res/v1/web/search?${params.toString()}`,
      headers: { accept: "application/json", "x-subscription-token": apiKey },
    };
  },
  results: z
    .object({ web: z.object({ results: z.array(resultSchema) }).nullish() })
    .transform(({ web }) => web?.results ?? []),
  error: z.object({ error: z.object({ detail: z.string() }) }).transform(({ error }) => error.detail),
};

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

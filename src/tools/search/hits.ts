import { z } from "zod";
import type { SearchHit } from "./types.ts";

/** One result as most engines write it. A result without an address is dropped later, not a reason to drop the rest. */
export const resultSchema = z
  .object({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })
  .catch({ url: "" });

/** One result of an engine. */
export type EngineResult = z.infer<typeof resultSchema>;

/** The first `limit` results that have an address, in our own form. */
export function toHits(results: readonly EngineResult[], limit: number): readonly SearchHit[] {
  return results
    .filter(({ url }) => /^https?:/i.test(url))
    .slice(0, limit)
    .map(({ title, url, content }) => ({ title: title ?? url, url, snippet: content ?? "" }));
}

import type { Embedder } from "../embed/embedder.ts";
import type { CandidateFilter, CandidateSource } from "./candidates.ts";
import { contentWords } from "./words.ts";

/**
 * A question without the name of the one whose words are looked for; undefined when too little of it is left. The name
 * draws a question near to whatever calls that person by name, which is what others said: who spoke is seen to apart.
 */
export function withoutSpeaker(question: string, speaker: string): string | undefined {
  const names = [speaker, ...speaker.split(/\s+/u)].filter((name) => name !== "").map(escaped);
  const form = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join("|")})(?:['’]s?)?(?![\\p{L}\\p{N}])`, "giu");
  const bare = question.replace(form, " ").replace(/\s+/gu, " ").trim();
  return bare !== question.trim() && contentWords(bare).length > 0 ? bare : undefined;
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** What is compared with a bare question. */
export interface BareLook {
  readonly source: CandidateSource;
  readonly embedder: Embedder;
  readonly filter: CandidateFilter;
  readonly signal: AbortSignal;
}

/**
 * How alike some episodes are to a question without its speaker's name, by id. Empty when there is nothing to compare:
 * what the views said stands then.
 */
export async function bareSimilarities(
  { source, embedder, filter, signal }: BareLook,
  bare: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const embedded = await embedder.embed([bare], "query", signal);
  const embedding = embedded.ok ? embedded.value[0] : undefined;
  if (embedding === undefined || ids.length === 0) return new Map();
  const options = { limit: ids.length, filter: { ...filter, ids } };
  const found = await source.near(embedder.model, "episode", embedding, options, signal);
  return new Map(found.ok ? found.value.map(({ place, score }) => [place.id, score]) : []);
}

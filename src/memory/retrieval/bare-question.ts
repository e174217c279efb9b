import { success } from "../../agent/failure.ts";
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

/** Most names of a question that may be the speaker's. */
const MAX_NAMES = 2;

/**
 * An embedder that embeds a question and, with it, what is left of it without each of its names: a second text in one
 * call takes a fifth of what a call of its own takes, and whether a name is a speaker's is known only later.
 */
export function withBareQuestions(embedder: Embedder, question: string, names: readonly string[]): Embedder {
  const bare = names
    .filter((name) => contentWords(name).length > 0)
    .slice(0, MAX_NAMES)
    .flatMap((name) => withoutSpeaker(question, name) ?? []);
  if (bare.length === 0) return embedder;
  const made = new Map<string, Float32Array>();
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    async embed(texts, kind, signal) {
      const known = texts.flatMap((text) => made.get(text) ?? []);
      if (kind === "query" && known.length === texts.length) return success(known);
      if (kind !== "query" || !texts.includes(question)) return embedder.embed(texts, kind, signal);
      const all = [...new Set([...texts, ...bare])];
      const embedded = await embedder.embed(all, kind, signal);
      if (!embedded.ok) return embedded;
      all.forEach((text, index) => {
        const embedding = embedded.value[index];
        if (embedding !== undefined) made.set(text, embedding);
      });
      return success(texts.flatMap((text) => made.get(text) ?? []));
    },
  };
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

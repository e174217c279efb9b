import type { Result } from "../../agent/failure.ts";
import { CANCELLED, success } from "../../agent/failure.ts";
import type { MemoryHit, MemorySearch } from "../../agent/memory-port.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { EpisodeReader, Found } from "../store/reader.ts";
import type { Params } from "../process/protocol.ts";
import { searchedText } from "../store/rows.ts";
import type { Place, Ranked } from "./search.ts";
import { rank } from "./search.ts";
import { contentWords } from "./words.ts";

/** How many rows each half brings at least: enough for the neighbours of good rows to be among them. */
const CANDIDATES = 300;
/** And at most, however many turns are left out. */
const MAX_CANDIDATES = 2_000;
/** Most sessions whose turns are looked at for neighbours, those of the best rows first. */
const MAX_SESSIONS = 60;
/** Most rows of those sessions. */
const MAX_PLACES = 20_000;

/**
 * When nothing is more alike than this, the question is about something else: a ranking only says which rows are the
 * least off. Measured with the embedder in use: of a hundred questions about what was said one lies below 0.38, of
 * questions about anything else nine in ten below 0.27.
 */
const LEAST_ALIKE = 0.25;

/** The embedder of a search, or the sentence that says why there is none. */
export type EmbedderOrNote = { readonly embedder: Embedder } | { readonly note: string };

/**
 * Finds what was remembered about a query, by full text and by embedding. Each half may fail and the other still
 * answers, with a note; only when both fail is the search a failure.
 */
export async function retrieve(
  episodes: EpisodeReader,
  query: Params<"search">,
  vector: EmbedderOrNote,
  signal: AbortSignal,
): Promise<Result<MemorySearch>> {
  const searched = await episodes.count(signal);
  if (!searched.ok) return searched;
  const wanted = Math.max(CANDIDATES, query.limit * 3) + (query.excludeTurnIds?.length ?? 0);
  const limit = Math.min(wanted, MAX_CANDIDATES);
  const words = contentWords(query.query);
  const [byText, byVector] = await Promise.all([
    episodes.matching(words, limit, signal),
    nearest(episodes, query.query, vector, limit, signal),
  ]);
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  if (!byText.ok && (byVector === undefined || !byVector.ok)) return byText;
  const excluded = new Set(query.excludeTurnIds);
  const text = byText.ok ? kept(byText.value, excluded) : undefined;
  const similar = byVector?.ok === true ? kept(byVector.value, excluded) : undefined;
  const places = await around([...(text ?? []), ...(similar ?? [])], excluded, episodes, signal);
  const ranked = rank(places, {
    // A query without a word worth looking for says nothing by full text: all weight is on the embedding then.
    ...(text === undefined || (words.length === 0 && similar !== undefined) ? {} : { text: scores(text) }),
    ...(similar === undefined ? {} : { vector: scores(similar) }),
  });
  const best = await withEpisodes(ranked.slice(0, query.limit), episodes, signal);
  if (!best.ok) return best;
  // While rows still wait for their embeddings, the most alike may be among them.
  const allEmbedded = byVector?.ok === true && byVector.value.length >= Math.min(searched.value, limit);
  const hits = allEmbedded && isOffTopic(similar) ? best.value.filter(holdsAll(words)) : best.value;
  const note = noteOf(byText, byVector, vector);
  return success({ hits, searched: searched.value, ...(note === undefined ? {} : { note }) });
}

function isOffTopic(similar: readonly Found[] | undefined): boolean {
  return similar !== undefined && similar.every(({ score }) => score < LEAST_ALIKE);
}

/** Says of a hit whether it holds every word: a name or a number may mean nothing to the embedder. */
function holdsAll(words: readonly string[]): (hit: MemoryHit) => boolean {
  return ({ episode }) => {
    const text = searchedText(episode).toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

async function nearest(
  episodes: EpisodeReader,
  query: string,
  vector: EmbedderOrNote,
  limit: number,
  signal: AbortSignal,
): Promise<Result<readonly Found[]> | undefined> {
  if (!("embedder" in vector) || query.trim() === "") return undefined;
  const embedded = await vector.embedder.embed([query], signal);
  if (!embedded.ok) return embedded;
  const embedding = embedded.value[0];
  return embedding === undefined ? undefined : episodes.near(embedding, vector.embedder.model, limit, signal);
}

function kept(found: readonly Found[], excluded: ReadonlySet<string>): readonly Found[] {
  return found.filter(({ place }) => !excluded.has(place.turnId));
}

function scores(found: readonly Found[]): Map<string, number> {
  return new Map(found.map(({ place, score }) => [place.id, score]));
}

/** The rows found and the turns beside them. Where those can't be read, the rows found alone. */
async function around(
  found: readonly Found[],
  excluded: ReadonlySet<string>,
  episodes: EpisodeReader,
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const places = new Map(found.map(({ place }) => [place.id, place]));
  const sessionIds = [...new Set(found.map(({ place }) => place.sessionId))].slice(0, MAX_SESSIONS);
  if (sessionIds.length > 0) {
    const beside = await episodes.placesOf(sessionIds, MAX_PLACES, signal);
    (beside.ok ? beside.value : [])
      .filter(({ turnId }) => !excluded.has(turnId))
      .forEach((place) => places.set(place.id, place));
  }
  return [...places.values()];
}

async function withEpisodes(
  ranked: readonly Ranked[],
  episodes: EpisodeReader,
  signal: AbortSignal,
): Promise<Result<readonly MemoryHit[]>> {
  if (ranked.length === 0) return success([]);
  const found = await episodes.byIds(
    ranked.map(({ place }) => place.id),
    signal,
  );
  if (!found.ok) return found;
  const byId = new Map(found.value.map((episode) => [episode.id, episode]));
  return success(
    ranked.flatMap(({ place, score, parts }) => {
      const episode = byId.get(place.id);
      return episode === undefined ? [] : [{ episode, score, parts }];
    }),
  );
}

function noteOf(
  text: Result<unknown>,
  vector: Result<unknown> | undefined,
  embedder: EmbedderOrNote,
): string | undefined {
  if (!text.ok) return `Search by meaning only: ${text.failure.message}`;
  if ("note" in embedder) return embedder.note;
  return vector?.ok === false ? `Full-text search only: ${vector.failure.message}` : undefined;
}

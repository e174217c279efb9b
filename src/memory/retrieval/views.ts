import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Embedder, EmbedderOrNote } from "../embed/embedder.ts";
import type { AskedRange } from "./analyze.ts";
import type { CandidateFilter, CandidateSource, Found, Place } from "./candidates.ts";
import type { Views } from "./fuse.ts";

/** What the views of a search found. */
export interface Seen {
  readonly views: Views;
  /** Every episode that a view found, the best of each view first. */
  readonly places: ReadonlyMap<string, Place>;
  /** Every embedded row was looked at: one that the embeddings did not find waits for its embedding. */
  readonly wholly?: boolean;
  /** Said when something was off. */
  readonly note?: string;
}

/** What is looked for, and how. */
export interface Look {
  readonly query: string;
  readonly words: readonly string[];
  readonly hybrid: boolean;
  /** Whether the windows around turns are looked at. */
  readonly windows: boolean;
  /** Rows of each view. */
  readonly limit: number;
  readonly filter: CandidateFilter;
  /** The time that alone is wanted: rows of it are looked for among themselves too. */
  readonly range?: AskedRange | undefined;
  readonly excludedTurns: ReadonlySet<string>;
  /** Told where stands what full text found, as soon as it is known: these are the first of all places. */
  readonly onText?: (first: readonly Place[]) => void;
}

/**
 * Looks through full text and embeddings at once. Each may fail and the others still answer, with a note; only when
 * all fail is it a failure.
 */
export async function look(
  source: CandidateSource,
  vector: EmbedderOrNote,
  wanted: Look,
  signal: AbortSignal,
): Promise<Result<Seen>> {
  const hasEmbedder = "embedder" in vector;
  const wantsText = wanted.hybrid || !hasEmbedder;
  const [text, dense] = await Promise.all([
    wantsText ? byText(source, wanted, signal) : undefined,
    hasEmbedder && wanted.query.trim() !== ""
      ? byMeaning(source, vector.embedder, wanted, signal)
      : undefined,
  ]);
  if (dense?.ok !== true) {
    if (text?.ok === false) return text;
    if (text === undefined && dense?.ok === false) return fallBack(source, wanted, dense, signal);
  }
  return success(seen(text, dense, wanted, vector));
}

/** Embeddings alone were wanted, but failed: full text is better than nothing. */
async function fallBack(
  source: CandidateSource,
  wanted: Look,
  dense: Result<Dense>,
  signal: AbortSignal,
): Promise<Result<Seen>> {
  const text = await byText(source, wanted, signal);
  return text.ok ? success(seen(text, dense, wanted, { note: "" })) : text;
}

interface Dense {
  readonly vector: readonly Found[];
  readonly window: readonly Found[];
}

function seen(
  text: Result<readonly Found[]> | undefined,
  dense: Result<Dense> | undefined,
  { words, excludedTurns, limit }: Look,
  embedder: EmbedderOrNote,
): Seen {
  const byWords = text?.ok === true ? kept(text.value, excludedTurns) : undefined;
  const vector = dense?.ok === true ? kept(dense.value.vector, excludedTurns) : undefined;
  const window = dense?.ok === true ? kept(dense.value.window, excludedTurns) : undefined;
  // A question without a word worth looking for says nothing by full text: all weight is on the embeddings then.
  const speaks = byWords !== undefined && (words.length > 0 || vector === undefined);
  const note = noteOf(text, dense, embedder);
  return {
    views: {
      ...(speaks && { text: scores(byWords) }),
      ...(vector !== undefined && { vector: scores(vector) }),
      // Windows are embedded after the turns: while there are none, the turns beside count another way.
      ...(window !== undefined && window.length > 0 && { window: scores(window) }),
    },
    places: new Map(
      [byWords, vector, window].flatMap((found) => found ?? []).map(({ place }) => [place.id, place]),
    ),
    ...(dense?.ok === true && { wholly: dense.value.vector.length < limit }),
    ...(note !== undefined && { note }),
  };
}

function kept(found: readonly Found[], excludedTurns: ReadonlySet<string>): readonly Found[] {
  return excludedTurns.size === 0 ? found : found.filter(({ place }) => !excludedTurns.has(place.turnId));
}

function scores(found: readonly Found[]): Map<string, number> {
  return new Map(found.map(({ place, score }) => [place.id, score]));
}

async function byText(
  source: CandidateSource,
  wanted: Look,
  signal: AbortSignal,
): Promise<Result<readonly Found[]>> {
  const found = await withinToo(wanted, (filter) =>
    source.matching(wanted.words, { limit: wanted.limit, filter }, signal),
  );
  if (found.ok) wanted.onText?.(kept(found.value, wanted.excludedTurns).map(({ place }) => place));
  return found;
}

async function byMeaning(
  source: CandidateSource,
  embedder: Embedder,
  wanted: Look,
  signal: AbortSignal,
): Promise<Result<Dense>> {
  const embedded = await embedder.embed([wanted.query], "query", signal);
  if (!embedded.ok) return embedded;
  const embedding = embedded.value[0];
  if (embedding === undefined) return success({ vector: [], window: [] });
  const near = (view: "episode" | "window"): Promise<Result<readonly Found[]>> =>
    withinToo(wanted, (filter) =>
      source.near(embedder.model, view, embedding, { limit: wanted.limit, filter }, signal),
    );
  const [vector, window] = await Promise.all([
    near("episode"),
    wanted.windows ? near("window") : success<readonly Found[]>([]),
  ]);
  if (!vector.ok) return vector;
  return success({ vector: vector.value, window: window.ok ? window.value : [] });
}

/**
 * Looks once among all and, when a question wants a time, once among the rows of that time: there may be none of them
 * among the best of all. Rows of another time stay: they may tell of it.
 */
async function withinToo(
  { filter, range, limit }: Look,
  find: (filter: CandidateFilter) => Promise<Result<readonly Found[]>>,
): Promise<Result<readonly Found[]>> {
  if (range === undefined) return find(filter);
  const within = {
    ...filter,
    from: Math.max(filter.from ?? -Infinity, range.from),
    to: Math.min(filter.to ?? Infinity, range.to),
  };
  const [all, then] = await Promise.all([find(filter), find(within)]);
  if (!all.ok || !then.ok) return all;
  const found = new Map([...all.value, ...then.value].map((each) => [each.place.id, each]));
  return success([...found.values()].sort((a, b) => b.score - a.score).slice(0, 2 * limit));
}

function noteOf(
  text: Result<unknown> | undefined,
  dense: Result<unknown> | undefined,
  embedder: EmbedderOrNote,
): string | undefined {
  if (text?.ok === false) return `Search by meaning only: ${text.failure.message}`;
  if (dense?.ok === false) return `Full-text search only: ${dense.failure.message}`;
  return "note" in embedder ? embedder.note : undefined;
}

import type { Result } from "../../agent/failure.ts";
import { CANCELLED, success } from "../../agent/failure.ts";
import type { MemoryHit, MemoryQuery, MemorySearch } from "../../agent/memory/port.ts";
import type { Edit } from "./candidates.ts";
import { diverse } from "./diversity.ts";
import { withEdit } from "./edited.ts";
import { fuseAll } from "./fuse-all.ts";
import { judgeOf, type Judge } from "./purify.ts";
import { readBest, type Read } from "./read-best.ts";
import { byRelevance } from "./relevance.ts";
import { rerank } from "./reranker.ts";
import { saysNothing } from "./says-nothing.ts";
import { begin, type RetrieveDeps, type Search } from "./search.ts";
import { additions, valueOf } from "./value.ts";
import { look, type Seen } from "./views.ts";

export type { RetrieveDeps } from "./search.ts";

/** How many rows each view is asked for at least: enough to scale its scores and to see the neighbours of good rows. */
const ROWS = 300;
/** And at most, however many turns are left out. */
const MAX_ROWS = 2_000;

/** What is left of the relevance of an earlier question to which nothing was known. */
const ECHO = 0.25;

/**
 * Finds what was remembered about a question, by full text and by embeddings, and gives the best with what their
 * places are made of. A view may fail and the others still answer, with a note; only when all fail is the search a
 * failure. The same store, question and moment give the same hits.
 */
export async function retrieve(
  deps: RetrieveDeps,
  query: MemoryQuery,
  signal: AbortSignal,
): Promise<Result<MemorySearch>> {
  const search = begin(deps, query, signal);
  const found = await find(search);
  const { range } = search.analysis;
  const isEmpty = found.ok && found.value.hits.length === 0;
  if (query.asAsked !== true || range?.strict !== true || !isEmpty) return found;
  const again = await find({
    ...search,
    analysis: { ...search.analysis, range: { ...range, strict: false } },
  });
  return again.ok ? again : found;
}

async function find(search: Search): Promise<Result<MemorySearch>> {
  const { source, query, signal } = search;
  const [searched, edits, seen] = await Promise.all([
    source.count({ scopes: query.scopes }, signal),
    source.edits(signal),
    lookFor(search),
  ]);
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  if (!searched.ok) return searched;
  if (!seen.ok) return seen;
  const fused = await fuseAll(search, seen.value, edits.ok ? edits.value : new Map<string, Edit>());
  const read = await readBest(search, fused);
  if (!read.ok) return read;
  const ranked = await rerank(search, read.value);
  const judge = judgeOf({ ...seen.value, rows: searched.value, words: search.analysis.words });
  const relevant = purified(search, withEchoes(search, ranked.items), judge);
  const notes = [seen.value.note, fused.note, ranked.note].filter((each) => each !== undefined);
  const { range } = search.analysis;
  return success({
    hits: best(search, relevant),
    searched: searched.value,
    dropped: ranked.items.length - relevant.length,
    ...(range !== undefined && { range: { from: range.from, to: range.to } }),
    ...(notes.length > 0 && { note: notes.join(" ") }),
  });
}

function rowsOf(limit: number, excluded: number): number {
  return Math.min(Math.max(ROWS, limit * 3) + excluded, MAX_ROWS);
}

function lookFor({
  neighbours,
  source,
  vector,
  query,
  settings,
  analysis,
  filter,
  excluded,
  turns,
  limit,
  signal,
}: Search): Promise<Result<Seen>> {
  const { range, words } = analysis;
  return look(
    source,
    vector,
    {
      ...{ words, filter, query: query.query, hybrid: settings.hybrid },
      limit: rowsOf(limit, excluded.size),
      windows: neighbours !== false,
      range: range?.strict === true ? range : undefined,
      excludedTurns: excluded,
      onText: (first) => turns.begin(first),
    },
    signal,
  );
}

/** Earlier questions to which nothing was known: like what is asked as nothing else is, and of little worth. */
function withEchoes({ analysis }: Search, ranked: readonly Read[]): readonly Read[] {
  return ranked.map((each) => {
    if (!saysNothing(withEdit(each.episode, each.notes?.edit), analysis.words)) return each;
    return { ...each, relevance: ECHO * each.relevance, parts: { ...each.parts, asking: 1 } };
  });
}

/** Drops what the question is not about, before anyone sees it. No grade brings back what is dropped here. */
function purified(
  { query, settings, analysis: { range } }: Search,
  read: readonly Read[],
  isAbout: Judge,
): readonly Read[] {
  const ofTime = range?.strict === true ? read.filter(({ parts }) => (parts.time ?? 0) > 0) : read;
  if (query.unjudged === true) return ofTime;
  return ofTime.filter(
    ({ relevance, place, text }) => relevance >= settings.threshold && isAbout({ id: place.id, text }),
  );
}

/** The best by value, each saying something new. */
function best({ settings, limit, now }: Search, relevant: readonly Read[]): MemoryHit[] {
  const at = now();
  const valued = relevant.map((each) => {
    const added = additions(each.notes, each.episode.time, at, settings);
    return { ...each, added, value: valueOf(each.relevance, added) };
  });
  valued.sort((a, b) => b.value - a.value || byRelevance(a, b));
  return diverse(valued, limit).map(({ episode, notes, value, relevance, parts, added }) => ({
    episode,
    ...(notes !== undefined && { notes }),
    score: value,
    parts: { ...parts, relevance, ...added },
  }));
}

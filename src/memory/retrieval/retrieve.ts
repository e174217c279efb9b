import type { Result } from "../../agent/failure.ts";
import { CANCELLED, success } from "../../agent/failure.ts";
import {
  DEFAULT_RETRIEVAL,
  type Episode,
  type EpisodeNotes,
  type MemoryHit,
  type MemoryQuery,
  type MemorySearch,
  type RetrievalSettings,
} from "../../agent/memory-port.ts";
import { analyze, type Analysis } from "./analyze.ts";
import { bareSimilarities, withBareQuestions, withoutSpeaker } from "./bare-question.ts";
import type { CandidateFilter, CandidateSource, Edit, Place, Turn } from "./candidates.ts";
import { diverse } from "./diversity.ts";
import { shownText, withEdit, withEditedScores } from "./edited.ts";
import { fuse, withCloser, type Fused, type Views } from "./fuse.ts";
import { judgeOf, type Judge } from "./purify.ts";
import {
  byRelevance,
  mostRelevant,
  relevanceOf,
  withIntent,
  type Asked,
  type Relevant,
} from "./relevance.ts";
import { rerank } from "./reranker.ts";
import type { RerankerOrNote } from "./reranker-slot.ts";
import { saysNothing } from "./says-nothing.ts";
import { SessionTurns } from "./session-turns.ts";
import { namedSpeaker } from "./speakers.ts";
import { additions, valueOf } from "./value.ts";
import { look, type EmbedderOrNote, type Seen } from "./views.ts";

export type { EmbedderOrNote } from "./views.ts";

/** How many rows each view is asked for at least: enough to scale its scores and to see the neighbours of good rows. */
const ROWS = 300;
/** And at most, however many turns are left out. */
const MAX_ROWS = 2_000;
/** Rows whose whole text is read when a question asks about a time, to see which times they tell of. */
const MAX_READ = 200;

/** What is left of the relevance of an earlier question to which nothing was known. */
const ECHO = 0.25;

/** What a search works with. */
export interface RetrieveDeps {
  readonly source: CandidateSource;
  readonly vector: EmbedderOrNote;
  /** Looks at the best once more, where the settings want it. */
  readonly reranking?: RerankerOrNote | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The zone that days and weeks are counted in, such as `Europe/Oslo`. */
  readonly timeZone: string;
  /** Whether the turns around a turn count for it; left out: they do. Off to measure what they are worth. */
  readonly neighbours?: boolean;
}

/** One search on its way. */
interface Search extends RetrieveDeps {
  readonly query: MemoryQuery;
  readonly settings: RetrievalSettings;
  readonly analysis: Analysis;
  readonly filter: CandidateFilter;
  readonly excluded: ReadonlySet<string>;
  readonly turns: SessionTurns;
  /** How many hits are wanted. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A memory whose text is known. */
interface Read extends Relevant {
  readonly episode: Episode;
  readonly notes: EpisodeNotes | undefined;
  readonly text: string;
}

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
  const [searched, edits, seen] = await Promise.all([
    deps.source.count({ scopes: query.scopes }, signal),
    deps.source.edits(signal),
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

function begin(deps: RetrieveDeps, query: MemoryQuery, signal: AbortSignal): Search {
  const settings = query.settings ?? DEFAULT_RETRIEVAL;
  const filter = { scopes: query.scopes, from: query.from, to: query.to };
  const analysis = analyze(query.query, deps.now(), deps.timeZone);
  const { vector } = deps;
  return {
    ...deps,
    ...{ query, settings, signal, filter, analysis },
    ...("embedder" in vector && {
      vector: { embedder: withBareQuestions(vector.embedder, query.query, analysis.names) },
    }),
    turns: new SessionTurns(deps.source, filter, signal),
    excluded: new Set(query.excludeTurnIds),
    limit: query.limit ?? settings.given,
  };
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

/** What was found with its neighbours, as far as the views say something of it. */
interface FusedAll {
  readonly fused: readonly Fused[];
  readonly turns: ReadonlyMap<string, Turn>;
  readonly views: Views;
  readonly note?: string;
}

async function fuseAll(search: Search, seen: Seen, edits: ReadonlyMap<string, Edit>): Promise<FusedAll> {
  const { excluded, analysis } = search;
  const edited = await editedEpisodes(search, edits);
  const found = new Map([
    ...seen.places,
    ...edited.map((episode) => [episode.id, placeOf(episode)] as const),
  ]);
  const beside = await search.turns.around(found.values());
  const turns = (beside.ok ? beside.value : []).filter(({ turnId }) => !excluded.has(turnId));
  const places = new Map<string, Place | Turn>([...found, ...turns.map((turn) => [turn.id, turn] as const)]);
  const views = {
    ...seen.views,
    ...(seen.views.text !== undefined && { text: withEditedScores(seen.views.text, edited, analysis.words) }),
  };
  return {
    fused: fuse([...places.values()], views, search.neighbours),
    turns: new Map(turns.map((turn) => [turn.id, turn])),
    views,
    ...(!beside.ok && { note: `Without the turns around what was found: ${beside.failure.message}` }),
  };
}

/** The edited episodes that may be found, as they now read. */
async function editedEpisodes(
  { source, filter, excluded, signal }: Search,
  edits: ReadonlyMap<string, Edit>,
): Promise<Episode[]> {
  if (edits.size === 0) return [];
  const episodes = await source.byIds([...edits.keys()].slice(0, MAX_ROWS), signal);
  return (episodes.ok ? episodes.value : [])
    .filter((episode) => !excluded.has(episode.turnId) && isWithin(episode, filter))
    .map((episode) => withEdit(episode, edits.get(episode.id)));
}

function isWithin(
  { time, scope }: Pick<Episode, "time" | "scope">,
  { scopes, from, to }: CandidateFilter,
): boolean {
  return time >= (from ?? -Infinity) && time <= (to ?? Infinity) && (scopes?.includes(scope ?? "") ?? true);
}

function placeOf({ id, sessionId, turnId, time }: Place): Place {
  return { id, sessionId, turnId, time };
}

/** Reads the most relevant and weighs them anew by what they say. Shadows' answers that nobody took are left out. */
async function readBest(search: Search, { fused, turns, views }: FusedAll): Promise<Result<readonly Read[]>> {
  const { source, settings, analysis, filter, limit, timeZone, signal } = search;
  const speaker = analysis.names.length === 0 ? undefined : namedSpeaker(analysis.names, turns.values());
  const asked: Asked = { speaker, range: analysis.range, timeZone };
  // Each view puts forward its candidates; a neighbour or a boost may be what lifts one, so they are taken together.
  const pool = Math.max(settings.candidates, limit) * Math.max(1, Object.keys(views).length);
  const found = fused.filter(({ place }) => isWithin(place, { from: filter.from, to: filter.to }));
  const looked = analysis.range === undefined ? pool : Math.max(pool, MAX_READ);
  const taken = mostRelevant(found, turns, asked, looked);
  if (taken.length === 0) return success([]);
  const ids = taken.map(({ place }) => place.id);
  const [episodes, notes, closer] = await Promise.all([
    source.byPlaces(
      taken.map(({ place }) => place),
      signal,
    ),
    source.notes(ids, signal),
    closerLook(search, speaker, ids),
  ]);
  if (!episodes.ok) return episodes;
  const known = notes.ok ? notes.value : new Map<string, EpisodeNotes>();
  const byId = new Map(
    episodes.value
      .filter(({ id, respondent }) => respondent !== "B" || known.get(id)?.taken === true)
      .map((episode) => [
        episode.id,
        {
          episode,
          notes: known.get(episode.id),
          text: shownText(episode, known.get(episode.id)),
          told: withEdit(episode, known.get(episode.id)?.edit),
        },
      ]),
  );
  const again = relevanceOf(
    withCloser(taken, views, closer),
    turns,
    asked,
    new Map([...byId].map(([id, { told }]) => [id, told])),
  );
  const read = again.flatMap((each) => {
    const own = byId.get(each.place.id);
    if (own === undefined) return [];
    const intent = own.notes?.intent ?? own.episode.intent;
    return [{ ...withIntent(each, analysis.intent, intent), ...own }];
  });
  return success(read.sort(byRelevance).slice(0, pool));
}

/** The best looked at once more by meaning, without the name of the one who is asked about. */
function closerLook(
  { source, vector, query, filter, signal }: Search,
  speaker: string | undefined,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const bare = speaker === undefined ? undefined : withoutSpeaker(query.query, speaker);
  if (bare === undefined || !("embedder" in vector)) return Promise.resolve(new Map());
  return bareSimilarities({ source, embedder: vector.embedder, filter, signal }, bare, ids);
}

/** Earlier questions to which nothing was known: like what is asked as nothing else is, and of little worth. */
function withEchoes({ analysis }: Search, ranked: readonly Read[]): readonly Read[] {
  return ranked.map((each) => {
    if (!saysNothing(withEdit(each.episode, each.notes?.edit), analysis.words)) return each;
    return { ...each, relevance: ECHO * each.relevance, parts: { ...each.parts, asking: 1 } };
  });
}

/** Drops what the question is not about, before anyone sees it. No grade brings back what is dropped here. */
function purified({ settings, analysis }: Search, read: readonly Read[], isAbout: Judge): readonly Read[] {
  const { range } = analysis;
  return read.filter(
    (memory) =>
      memory.relevance >= settings.threshold &&
      (range?.strict !== true || (memory.parts.time ?? 0) > 0) &&
      isAbout({ id: memory.place.id, text: memory.text }),
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

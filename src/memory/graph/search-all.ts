import type { Result } from "../../agent/failure.ts";
import { CANCELLED, success } from "../../agent/failure.ts";
import type { AnyHit, MemoryHit, MemoryQuery, MemorySearch, ScoreParts } from "../../agent/memory/port.ts";
import { DEFAULT_RETRIEVAL } from "../../agent/memory/port.ts";
import { factLines, graphLines, memoryLineText, memoryLines, momentLine } from "../../agent/memory/text.ts";
import type { Fact, Moment } from "../../agent/memory/types.ts";
import { CONFIDENCE_THRESHOLD } from "../../agent/memory/types.ts";
import { systemTimeZone } from "../../agent/time/civil.ts";
import type { Moments } from "../moments/moments.ts";
import { analyze } from "../retrieval/analyze.ts";
import { contentWords } from "../retrieval/words.ts";
import type { RelationHit } from "./graph-search.ts";
import type { Graph } from "./graph.ts";
import { nameWords } from "./names.ts";
import type { ResourceHit, Resources } from "./resources.ts";

/** The kinds of memory that are searched together. */
export interface SearchParts {
  readonly search: (query: MemoryQuery, signal: AbortSignal) => Promise<Result<MemorySearch>>;
  readonly facts: {
    search(
      query: string,
      options: {
        readonly limit: number;
        readonly scopes?: readonly string[];
        readonly minConfidence: number;
      },
      signal: AbortSignal,
    ): Promise<Result<readonly { readonly fact: Fact; readonly score: number }[]>>;
  };
  readonly graph: Pick<Graph, "search">;
  readonly resources: Pick<Resources, "search">;
  readonly moments: Pick<Moments, "find">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Hits that are given when the asker sets no limit. */
const GIVEN = 10;
const MAX_GIVEN = 100;
/** What each kind brings at most. */
const CANDIDATES = 30;
/** How much of a page's text is shown beside its title, in UTF-16 units. */
const MAX_EXCERPT = 300;
/** What counts how much: what a kind's own search says of a hit, and how many of the asked words the hit holds. */
const OWN = 0.6;
const WORDS = 0.4;

type Found = AnyHit & {
  readonly words: string;
  readonly turnId: string;
  readonly times: readonly number[];
  /** Whose knowledge it is, where it is somebody's. */
  readonly owner?: string;
  /** What was said of it, as it is added to its score. */
  readonly added?: ScoreParts;
};

/**
 * Looks in episodes, facts, graph, moments and resources together and ranks what is found in one list, best first. A
 * kind that fails is left out; the failure is given only when all of them fail.
 */
export async function searchAll(
  parts: SearchParts,
  query: MemoryQuery,
  signal: AbortSignal,
): Promise<Result<{ readonly hits: readonly AnyHit[] }>> {
  const limits = { limit: CANDIDATES, ...(query.scopes !== undefined && { scopes: query.scopes }) };
  const wants = (...types: AnyHit["type"][]): boolean =>
    query.types === undefined || types.some((type) => query.types?.includes(type));
  const minConfidence = query.minConfidence ?? CONFIDENCE_THRESHOLD;
  const [episodes, facts, relations, resources, moments] = await Promise.all([
    wants("episode") ? parts.search({ ...query, limit: CANDIDATES }, signal) : undefined,
    wants("fact") ? parts.facts.search(query.query, { ...limits, minConfidence }, signal) : undefined,
    wants("relationship") ? parts.graph.search(query.query, limits, signal) : undefined,
    wants("resource") ? parts.resources.search(query.query, limits, signal) : undefined,
    wants("moment") ? parts.moments.find({ query: query.query, ...limits }, signal) : undefined,
  ]);
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  const searched = [episodes, facts, relations, resources, moments].filter((part) => part !== undefined);
  const failures = searched.flatMap((part) => (part.ok ? [] : [part.failure]));
  if (searched.length > 0 && failures.length === searched.length && failures[0] !== undefined) {
    return { ok: false, failure: failures[0] };
  }
  const now = parts.now();
  const found = [
    ...(episodes?.ok === true ? episodes.value.hits.map(fromEpisode) : []),
    ...valuesOf(facts).map((one) => fromFact(one, now)),
    ...valuesOf(relations).map((one) => fromRelation(one, now)),
    ...valuesOf(resources).map(fromResource),
    ...(moments?.ok === true ? moments.value.moments.map(fromMoment) : []),
  ];
  return success({ hits: ranked(found, query, askedTimes(query, now)) });
}

function valuesOf<T>(result: Result<readonly T[]> | undefined): readonly T[] {
  return result?.ok === true ? result.value : [];
}

/** When a hit must be from: as the asker says, else as exact words of the question say, such as "last week". */
function askedTimes(query: MemoryQuery, now: number): { readonly from: number; readonly to: number } {
  const asked = analyze(query.query, now, systemTimeZone()).range;
  const range = asked?.strict === true ? asked : undefined;
  return {
    from: query.from ?? range?.from ?? Number.NEGATIVE_INFINITY,
    to: query.to ?? range?.to ?? Number.POSITIVE_INFINITY,
  };
}

function ranked(
  found: readonly Found[],
  query: MemoryQuery,
  { from, to }: { readonly from: number; readonly to: number },
): AnyHit[] {
  const asked = contentWords(query.query).map(stem);
  const excluded = new Set(query.excludeTurnIds);
  const owners = query.owners && new Set(query.owners.map((owner) => owner.toLowerCase()));
  const threshold = query.settings?.threshold ?? DEFAULT_RETRIEVAL.threshold;
  return (
    found
      .filter(({ owner }) => owner === undefined || owners === undefined || owners.has(owner.toLowerCase()))
      .filter(
        ({ turnId, times }) => !excluded.has(turnId) && times.some((time) => time >= from && time <= to),
      )
      .map(({ words, turnId: _turnId, times: _times, owner: _owner, added = {}, ...hit }) => ({
        hit: { ...hit, ...scored(hit, words, asked) },
        added,
      }))
      // What people and critics think of it never brings back what is off the topic.
      .filter(({ hit }) => hit.score >= threshold)
      .map(({ hit, added }) => withAdded(hit, added))
      .sort((one, other) => other.score - one.score || other.time - one.time || (one.id < other.id ? -1 : 1))
      .slice(0, Math.min(query.limit ?? GIVEN, MAX_GIVEN))
  );
}

/** The parts of an episode's value that come from what was said of it. */
const JUDGED = ["score", "verdict", "reward", "pin"] as const;

function addedOf(parts: ScoreParts): ScoreParts {
  return Object.fromEntries(
    JUDGED.flatMap((name) => (parts[name] === undefined ? [] : [[name, parts[name]] as const])),
  );
}

function withAdded<H extends Required<Pick<AnyHit, "score" | "parts">>>(hit: H, added: ScoreParts): H {
  const sum = Object.values(added).reduce<number>((total, part) => total + (part ?? 0), 0);
  return { ...hit, score: hit.score + sum, parts: { ...hit.parts, ...added } };
}

/** The score of a hit, and what it is made of. */
function scored(
  { score }: Pick<AnyHit, "score">,
  words: string,
  asked: readonly string[],
): Required<Pick<AnyHit, "score" | "parts">> {
  const match = Math.min(1, Math.max(0, score));
  if (asked.length === 0) return { score: match, parts: { match } };
  const there = new Set(nameWords(words).map(stem));
  const share = asked.filter((word) => there.has(word)).length / asked.length;
  return { score: OWN * match + WORDS * share, parts: { match, words: share } };
}

/** Enough of a stem for plurals and the commonest endings of English. */
function stem(word: string): string {
  const plain = nameWords(word)[0] ?? word;
  return plain.length > 4 ? plain.replace(/(?:ing|ies|es|ed|s)$/, "") : plain;
}

function fromEpisode(hit: MemoryHit): Found {
  const { episode, parts, score } = hit;
  return {
    type: "episode",
    id: episode.id,
    text: memoryLines([hit])[0] ?? "",
    time: episode.time,
    score: parts.relevance ?? score,
    added: addedOf(parts),
    words: `${episode.question}\n${episode.answer}`,
    turnId: episode.turnId,
    saidIn: episode.turnId,
    times: [episode.time],
  };
}

function fromFact({ fact, score }: { readonly fact: Fact; readonly score: number }, now: number): Found {
  const { id, text, source, eventFrom, eventTo, owner } = fact;
  return {
    type: "fact",
    id,
    text: factLines([fact], now)[0] ?? "",
    time: source.time,
    score,
    words: `${fact.subject} ${text}`,
    owner,
    turnId: source.turnId,
    ...saidIn(fact, now),
    times: [source.time, eventFrom, eventTo].filter((time) => time !== null),
  };
}

function fromRelation({ relationship, score }: RelationHit, now: number): Found {
  const { id, from, to, type, text, source, validFrom, updatedAt, owner } = relationship;
  return {
    type: "relationship",
    id,
    text: graphLines([{ relationship }], now)[0] ?? "",
    time: updatedAt,
    score,
    words: `${from} ${type} ${to} ${text}`,
    owner,
    turnId: source.turnId,
    ...saidIn(relationship, now),
    times: [source.time, validFrom],
  };
}

/** The turn that says no less than what was learnt from it: not that it is over. */
function saidIn(
  { source, validTo }: Pick<Fact, "source" | "validTo">,
  now: number,
): { readonly saidIn?: string } {
  const holds = validTo === null || validTo > now;
  return holds && source.turnId !== "" ? { saidIn: source.turnId } : {};
}

function fromMoment({ moment, score }: { readonly moment: Moment; readonly score: number }): Found {
  const { id, title, text, from, to, source } = moment;
  return {
    type: "moment",
    id,
    text: momentLine(moment),
    time: from,
    score,
    words: `${title} ${text}`,
    turnId: source.turnId,
    times: [from, to],
  };
}

function fromResource({ resource, score }: ResourceHit): Found {
  const { id, uri, title, text, indexedAt, turnId } = resource;
  return {
    type: "resource",
    id,
    uri,
    text: `${memoryLineText(title === "" ? uri : title, 200)} (${memoryLineText(uri, 300)}): ${memoryLineText(text, MAX_EXCERPT)}`,
    time: indexedAt,
    score,
    words: `${title} ${text}`,
    turnId,
    times: [indexedAt],
  };
}

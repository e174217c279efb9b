import type { Intent } from "../../agent/memory/port.ts";
import type { AskedRange } from "./analyze.ts";
import type { Place, Turn } from "./candidates.ts";
import type { Fused } from "./fuse.ts";
import { saidBy } from "./speakers.ts";
import { statedIn, type Stated } from "./stated.ts";
import { timeFit, wasSaidThen, type ToldTurn } from "./told-times.ts";

/** What a sign beyond the views counts against the views' 1. Measured as the views' weights were. */
const WEIGHTS = { speaker: 0.2, substance: 0.11, opening: 0.06, stated: 0.12, time: 0.28 } as const;
/** What a turn loses of which all sentences ask. */
const ASKING = 0.15;
/** Small: it is the rules' or a model's guess about two texts. */
const INTENT = 0.05;
/** What most turns are says nothing. */
const COMMON: ReadonlySet<Intent> = new Set(["fact", "other"]);
/** A turn this long says enough, in characters: greetings and thanks are shorter. */
const LONG = 170;

/** A turn with its relevance, 0..1, and what that is made of, each 0..1. */
export interface Relevant {
  readonly place: Place;
  readonly relevance: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** What a question asks beyond its words. */
export interface Asked {
  /** The one speaker that the question names. */
  readonly speaker?: string | undefined;
  readonly range?: AskedRange | undefined;
  readonly timeZone: string;
}

/**
 * The relevance of what the views found: their score, and what speaks for a turn beyond it. A turn counts more when
 * the one that the question names said it, when it says more than a greeting, when it opens its session, as news and
 * topics do, and when it is of the time asked about. Scaled so that all of it together is 1.
 *
 * @param texts what was said in full, where it is known: what states something counts more than what only asks, and
 *   times that are told count too
 */
export function relevanceOf(
  fused: readonly Fused[],
  turns: ReadonlyMap<string, Turn>,
  asked: Asked,
  texts: ReadonlyMap<string, ToldTurn> = new Map(),
): Relevant[] {
  const openings = openingsOf(turns.values());
  const whole = wholeOf(asked, texts.size > 0);
  return fused.map(({ place, score, parts }) => {
    const signs = signsOf(place, turns.get(place.id), openings, asked, texts.get(place.id));
    return { place, relevance: weigh(score, signs, whole), parts: { ...parts, ...signs } };
  });
}

/** The most relevant of what the views found, as far as it can be told without the texts; best first. */
export function mostRelevant(
  fused: readonly Fused[],
  turns: ReadonlyMap<string, Turn>,
  asked: Asked,
  count: number,
): readonly Fused[] {
  const openings = openingsOf(turns.values());
  const whole = wholeOf(asked, false);
  return fused
    .map((each) => {
      const { place, score } = each;
      const signs = signsOf(place, turns.get(place.id), openings, asked, undefined);
      return { fused: each, place, relevance: weigh(score, signs, whole) };
    })
    .sort(byRelevance)
    .slice(0, count)
    .map((each) => each.fused);
}

/** What all that may speak for a turn adds up to. */
function wholeOf({ speaker, range }: Asked, hasTexts: boolean): number {
  const { substance, opening, stated, speaker: said, time } = WEIGHTS;
  return (
    1 +
    substance +
    opening +
    (hasTexts ? stated : 0) +
    (speaker === undefined ? 0 : said) +
    (range === undefined ? 0 : time)
  );
}

function weigh(score: number, signs: Signs, whole: number): number {
  const { substance, opening, stated, speaker, time } = WEIGHTS;
  // Openings and statements are everywhere: they lift nothing beyond what was found of it.
  const lift = Math.min(score, opening * signs.opening + stated * (signs.stated ?? 0));
  const sum =
    score +
    lift +
    substance * signs.substance +
    speaker * (signs.speaker ?? 0) +
    time * (signs.time ?? 0) -
    ASKING * (signs.asking ?? 0);
  return Math.max(0, sum / whole);
}

/** The turns that are the first of their session. */
function openingsOf(turns: Iterable<Turn>): ReadonlySet<string> {
  const first = new Map<string, Turn>();
  for (const turn of turns) {
    const known = first.get(turn.sessionId);
    const isBefore =
      known === undefined ||
      turn.time < known.time ||
      (turn.time === known.time && turn.turnId < known.turnId);
    if (isBefore) first.set(turn.sessionId, turn);
  }
  return new Set([...first.values()].map(({ turnId }) => turnId));
}

/** What speaks for a turn beyond the views, and what of it only asks: 0..1 each. What is not known is left out. */
interface Signs extends Partial<Stated> {
  readonly substance: number;
  readonly opening: number;
  readonly speaker?: number;
  readonly time?: number;
}

function signsOf(
  place: Place,
  turn: Turn | undefined,
  openings: ReadonlySet<string>,
  { speaker, range, timeZone }: Asked,
  text: ToldTurn | undefined,
): Signs {
  // A turn of which nothing is known stands in the middle.
  const substance = turn === undefined ? 0.5 : Math.min(1, turn.length / LONG);
  const opening = Number(turn !== undefined && openings.has(turn.turnId));
  // Called for each turn of a search: most know no more than this.
  if (text === undefined && speaker === undefined && range === undefined) return { substance, opening };
  return {
    substance,
    opening,
    ...(text !== undefined && statedIn(text)),
    ...(speaker !== undefined && { speaker: Number(turn !== undefined && saidBy(turn, speaker)) }),
    ...(range !== undefined && {
      time: text === undefined ? Number(wasSaidThen(range, place.time)) : timeFit(range, text, timeZone),
    }),
  };
}

/**
 * The relevance with what the question is after: who asks for a preference, a procedure or a feeling gets a memory of
 * that kind before one like it. All other questions leave it as it is.
 *
 * @param own what the memory was found to be after, where that is known
 */
export function withIntent(
  { place, relevance, parts }: Relevant,
  asked: Intent,
  own: Intent | undefined,
): Relevant {
  if (COMMON.has(asked)) return { place, relevance, parts };
  const intent = Number(own === asked);
  return { place, relevance: (relevance + INTENT * intent) / (1 + INTENT), parts: { ...parts, intent } };
}

/** Best first; among equals the newer, then the lower id, so that the same store gives the same order. */
export function byRelevance(
  a: Pick<Relevant, "place" | "relevance">,
  b: Pick<Relevant, "place" | "relevance">,
): number {
  return b.relevance - a.relevance || b.place.time - a.place.time || (a.place.id < b.place.id ? -1 : 1);
}

import type { Intent } from "../../agent/memory-port.ts";
import type { AskedRange } from "./analyze.ts";
import type { Place, Turn } from "./candidates.ts";
import type { Fused } from "./fuse.ts";
import { saidBy } from "./speakers.ts";
import { timeFit, wasSaidThen } from "./told-times.ts";

/** What a sign beyond the views counts against the views' 1. Measured as the views' weights were. */
const SPEAKER = 0.14;
const SUBSTANCE = 0.11;
const TIME = 0.28;
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
 * the one that the question names said it, when it says more than a greeting, and when it is of the time asked about.
 * Scaled so that all of it together is 1.
 *
 * @param texts the full texts, where they are known: times that are told in them count too
 */
export function relevanceOf(
  fused: readonly Fused[],
  turns: ReadonlyMap<string, Turn>,
  asked: Asked,
  texts: ReadonlyMap<string, string> = new Map(),
): Relevant[] {
  const whole =
    1 + SUBSTANCE + (asked.speaker === undefined ? 0 : SPEAKER) + (asked.range === undefined ? 0 : TIME);
  return fused.map(({ place, score, parts }) => {
    const signs = signsOf(place, turns.get(place.id), asked, texts.get(place.id));
    const sum =
      score + SUBSTANCE * signs.substance + SPEAKER * (signs.speaker ?? 0) + TIME * (signs.time ?? 0);
    return { place, relevance: sum / whole, parts: { ...parts, ...signs } };
  });
}

interface Signs extends Record<string, number> {
  substance: number;
}

function signsOf(
  place: Place,
  turn: Turn | undefined,
  { speaker, range, timeZone }: Asked,
  text: string | undefined,
): Signs & { speaker?: number; time?: number } {
  // A turn of which nothing is known stands in the middle.
  const substance = turn === undefined ? 0.5 : Math.min(1, turn.length / LONG);
  const signs: Signs & { speaker?: number; time?: number } = { substance };
  if (speaker !== undefined) signs.speaker = turn !== undefined && saidBy(turn, speaker) ? 1 : 0;
  if (range !== undefined) {
    signs.time =
      text === undefined
        ? Number(wasSaidThen(range, place.time))
        : timeFit(range, { time: place.time, text }, timeZone);
  }
  return signs;
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
export function byRelevance(a: Relevant, b: Relevant): number {
  return b.relevance - a.relevance || b.place.time - a.place.time || (a.place.id < b.place.id ? -1 : 1);
}

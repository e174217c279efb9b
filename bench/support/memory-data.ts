import type { Episode } from "../../src/agent/memory/port.ts";

/** The length of the synthetic embeddings: that of the built-in model. */
export const DIMENSIONS = 384;
/** Turns of one session. */
const SESSION = 20;
/** Words that texts are made of, the first far more often than the last. */
const WORDS = 6_000;
/** Directions that embeddings lie around, as turns lie around topics, and how far they stray. */
const TOPICS = 400;
const STRAY = 0.8;
const START = Date.UTC(2024, 0, 1);
const TURN_MS = 5 * 60_000;

/** Seeded random numbers, 0..1. */
export type Random = () => number;

/** Makes seeded random numbers (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A text of so many made-up words. */
export function textOf(random: Random, words: number): string {
  return Array.from({ length: words }, () => wordAt(Math.floor(WORDS * random() ** 3))).join(" ");
}

/** The n-th made-up word. */
function wordAt(index: number): string {
  const syllables = ["ba", "ke", "lo", "mi", "nu", "ra", "se", "to", "vi", "za"];
  return String(index + 1_000).replace(/\d/g, (digit) => syllables[Number(digit)] ?? "");
}

/** The id of the n-th episode: a UUID. */
export function idAt(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;
}

/** The n-th episode; its time and session follow from its number. */
export function episodeAt(index: number, random: Random): Episode {
  return {
    id: idAt(index),
    sessionId: `session-${Math.floor(index / SESSION)}`,
    turnId: `turn-${index}`,
    question: `${textOf(random, 12)}?`,
    answer: textOf(random, 45),
    agent: "conclave",
    respondent: "A",
    model: "synthetic",
    time: START + index * TURN_MS,
    kind: "turn",
  };
}

/** Embeddings that lie around some hundred directions, each of length 1. */
export class Directions {
  readonly #topics: readonly Float32Array[];

  constructor(random: Random) {
    this.#topics = Array.from({ length: TOPICS }, () => unit(gaussian(random)));
  }

  /** The next embedding. */
  next(random: Random): Float32Array {
    const topic = this.#topics[Math.floor(random() * TOPICS)] ?? new Float32Array(DIMENSIONS);
    return near(topic, STRAY, random);
  }
}

/** An embedding that strays from another one by so much of its length. */
export function near(from: Float32Array, stray: number, random: Random): Float32Array {
  const away = unit(gaussian(random));
  return unit(from.map((value, place) => value + stray * (away[place] ?? 0)));
}

function gaussian(random: Random): Float32Array {
  return Float32Array.from(
    { length: DIMENSIONS },
    () => Math.sqrt(-2 * Math.log(random() || Number.MIN_VALUE)) * Math.cos(2 * Math.PI * random()),
  );
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

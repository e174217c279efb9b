import type { ScoreParts } from "../../agent/memory-port.ts";

/** Where an episode stands: what is needed to tell which turns are before and after it. */
export interface Place {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly time: number;
}

/** What the two halves of a search found, by episode id. A half that failed or is off is absent. */
export interface Halves {
  /** BM25 scores, 0 or more. */
  readonly text?: ReadonlyMap<string, number>;
  /** Cosine similarities, -1..1. */
  readonly vector?: ReadonlyMap<string, number>;
}

type Half = keyof Halves;

/** What each half counts when both are there, and what the turns one and two steps away add to a turn's own score. */
interface Weight {
  readonly share: number;
  readonly beside: readonly number[];
}

/** Measured on long conversations with known evidence; the optimum is flat. */
const WEIGHTS: Readonly<Record<Half, Weight>> = {
  text: { share: 0.6, beside: [0.4, 0.4] },
  vector: { share: 0.4, beside: [0.3, 0.3] },
};

/** An episode with its score and what the score is made of. */
export interface Ranked {
  readonly place: Place;
  /** 0..1. */
  readonly score: number;
  readonly parts: ScoreParts;
}

/** A half's share of an episode's score: what it found for the episode and for the turns beside it; their sum is 0..1. */
interface Share {
  readonly own: number;
  readonly beside: number;
}

/**
 * Ranks episodes by what both halves found for them and for the turns beside them in their session: each half is
 * scaled to 0..1, weighted and added. Scores are used, not ranks: how far ahead the first one is says much.
 * With one half alone that half is all. Ties: the newer first, then the lower id.
 *
 * @param places the episodes to rank and their neighbours, in any order
 */
export function rank(places: readonly Place[], halves: Halves): Ranked[] {
  const around = turnsBeside(places);
  const shares = new Map<Half, ReadonlyMap<string, Share>>();
  if (halves.text !== undefined) shares.set("text", withNeighbours(halves.text, around, WEIGHTS.text));
  if (halves.vector !== undefined) {
    shares.set("vector", withNeighbours(spreadOut(halves.vector), around, WEIGHTS.vector));
  }
  return places
    .map((place) => score(place, shares))
    .filter((ranked) => ranked.score > 0)
    .sort((a, b) => b.score - a.score || b.place.time - a.place.time || (a.place.id < b.place.id ? -1 : 1));
}

function score(place: Place, shares: ReadonlyMap<Half, ReadonlyMap<string, Share>>): Ranked {
  const whole = [...shares.keys()].reduce((sum, half) => sum + WEIGHTS[half].share, 0);
  const parts: Record<string, number> = {};
  let sum = 0;
  for (const [half, values] of shares) {
    const { own, beside } = values.get(place.id) ?? { own: 0, beside: 0 };
    parts[half] = own;
    parts[`${half}Neighbours`] = beside;
    sum += ((own + beside) * WEIGHTS[half].share) / whole;
  }
  return { place, score: Math.min(1, sum), parts };
}

/** For each episode the ids of the turns beside it: first those one step away, then those two steps away. */
type Around = ReadonlyMap<string, readonly (readonly (readonly string[])[])[]>;

function turnsBeside(places: readonly Place[]): Around {
  const around = new Map<string, (readonly (readonly string[])[])[]>();
  for (const turns of sessions(places)) {
    turns.forEach((turn, index) => {
      const steps = WEIGHTS.text.beside.map((_, step) =>
        [turns[index - step - 1], turns[index + step + 1]].filter((other) => other !== undefined),
      );
      turn.forEach((id) => around.set(id, steps));
    });
  }
  return around;
}

/** The turns of each session in the order they happened, each with the ids of its episodes. */
function sessions(places: readonly Place[]): string[][][] {
  const bySession = groupBy(places, ({ sessionId }) => sessionId);
  return [...bySession.values()].map((session) =>
    [...groupBy(session, ({ turnId }) => turnId)]
      .map(([turnId, rows]) => ({ turnId, first: Math.min(...rows.map(({ time }) => time)), rows }))
      .sort((a, b) => a.first - b.first || (a.turnId < b.turnId ? -1 : 1))
      .map(({ rows }) => rows.map(({ id }) => id)),
  );
}

function groupBy(places: readonly Place[], key: (place: Place) => string): Map<string, Place[]> {
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const group = groups.get(key(place));
    if (group === undefined) {
      groups.set(key(place), [place]);
    } else {
      group.push(place);
    }
  }
  return groups;
}

/** Adds what the turns beside an episode scored, and divides by the highest sum. */
function withNeighbours(
  found: ReadonlyMap<string, number>,
  around: Around,
  weight: Weight,
): Map<string, Share> {
  const shares = new Map<string, Share>();
  let top = 0;
  for (const [id, steps] of around) {
    const own = found.get(id) ?? 0;
    let beside = 0;
    steps.forEach((turns, step) => {
      for (const turn of turns) {
        beside += (weight.beside[step] ?? 0) * Math.max(0, ...turn.map((other) => found.get(other) ?? 0));
      }
    });
    if (own + beside > 0) {
      shares.set(id, { own, beside });
      top = Math.max(top, own + beside);
    }
  }
  return new Map([...shares].map(([id, { own, beside }]) => [id, { own: own / top, beside: beside / top }]));
}

/** Fewer similarities than this don't show how low they go. */
const FEW = 20;

/** Spreads similarities over 0..1 from the lowest to the highest: as they come they are bunched together. */
function spreadOut(similarities: ReadonlyMap<string, number>): Map<string, number> {
  let top = -1;
  let bottom = 1;
  for (const value of similarities.values()) {
    top = Math.max(top, value);
    bottom = Math.min(bottom, value);
  }
  const low = similarities.size < FEW ? Math.min(bottom, 0) : bottom;
  return new Map(
    [...similarities].map(([id, value]) => [id, top > low ? Math.max(0, value - low) / (top - low) : 1]),
  );
}

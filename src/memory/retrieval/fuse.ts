import type { Place, Turn } from "./candidates.ts";
import { besideScores, sessionsOf, type NeighbourWeights, type Sessions } from "./neighbours.ts";

/** What the views found, by episode id. A view that failed, is off or has nothing yet is absent. */
export interface Views {
  /** BM25 scores, 0 or more. */
  readonly text?: ReadonlyMap<string, number> | undefined;
  /** Cosine similarities of the turn alone, -1..1. */
  readonly vector?: ReadonlyMap<string, number> | undefined;
  /** Cosine similarities of the turn with the turns around it, -1..1. */
  readonly window?: ReadonlyMap<string, number> | undefined;
}

/** The name of a view. */
export type ViewName = keyof Views;

/** What a view counts beside the others, and what the turns one and two steps away add to a turn's own score. */
interface Weight extends NeighbourWeights {
  readonly share: number;
}

/** Measured on long conversations with known evidence; the optimum is flat. */
const WEIGHTS: Readonly<Record<ViewName, Weight>> = {
  text: { share: 0.4, beside: [0.4, 0.4], asked: 0.4 },
  vector: { share: 0.2, beside: [], asked: 0 },
  window: { share: 0.15, beside: [], asked: 0 },
};
/** Without windows the embedding has their share, and the turns beside count for it too. */
const VECTOR_ALONE: Weight = { share: 0.35, beside: [0.3, 0.3], asked: 0.2 };

/** A turn with what the views say of it together. */
export interface Fused {
  readonly place: Place;
  /** 0..1. */
  readonly score: number;
  /** What each view found, and its neighbours: 0..1 each. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * What the views say of each turn together: each view is scaled to 0..1, weighted and added. Scores are used, not
 * ranks: how far ahead the first one is says much. A view that is off or found nothing leaves its share to the others,
 * so that the best of what was found is always well above 0. Turns that no view found are left out.
 *
 * @param places the turns to rank and their neighbours, in any order
 * @param neighbours whether the turns beside a turn count for it
 */
export function fuse(places: readonly (Place | Turn)[], views: Views, neighbours = true): Fused[] {
  const numbers = new Map(places.map(({ id }, number) => [id, number]));
  const sessions = neighbours ? sessionsOf(places) : [];
  const weighted: Weighted[] = [];
  for (const view of ["text", "vector", "window"] as const) {
    const found = views[view];
    if (found === undefined || found.size === 0) continue;
    const scaled = view === "text" ? found : spreadOut(found);
    weighted.push({ view, ...share(scaled, numbers, sessions, weightOf(view, views)) });
  }
  const whole = weighted.reduce((sum, each) => sum + each.share, 0);
  const fused: Fused[] = [];
  places.forEach((place, number) => {
    let sum = 0;
    for (const { own, beside, share } of weighted) {
      sum += (((own[number] ?? 0) + (beside[number] ?? 0)) * share) / whole;
    }
    if (sum > 0) fused.push(new FusedTurn(place, Math.min(1, sum), weighted, number));
  });
  return fused;
}

function weightOf(view: ViewName, views: Views): Weight {
  return view === "vector" && views.window === undefined ? VECTOR_ALONE : WEIGHTS[view];
}

/** What a view says of all turns by their numbers, for themselves and for the turns beside them, and what it counts. */
interface Weighted {
  readonly view: ViewName;
  /** 0..1, together with `beside`. */
  readonly own: Float64Array;
  readonly beside: Float64Array;
  readonly share: number;
}

/** Its parts are put together when they are asked for: of most turns nobody asks. */
class FusedTurn implements Fused {
  readonly place: Place;
  readonly score: number;
  readonly #weighted: readonly Weighted[];
  readonly #number: number;

  constructor(place: Place, score: number, weighted: readonly Weighted[], number: number) {
    this.place = place;
    this.score = score;
    this.#weighted = weighted;
    this.#number = number;
  }

  get parts(): Readonly<Record<string, number>> {
    const parts: Record<string, number> = {};
    for (const { view, own, beside } of this.#weighted) {
      parts[view] = own[this.#number] ?? 0;
      if (view !== "window") parts[`${view}Neighbours`] = beside[this.#number] ?? 0;
    }
    return parts;
  }
}

/** Adds what the turns beside a turn scored, and divides by the highest sum. */
function share(
  found: ReadonlyMap<string, number>,
  numbers: ReadonlyMap<string, number>,
  sessions: Sessions,
  weight: Weight,
): Omit<Weighted, "view"> {
  const own = new Float64Array(numbers.size);
  for (const [id, score] of found) {
    const number = numbers.get(id);
    if (number !== undefined) own[number] = score;
  }
  const beside = besideScores(sessions, own, weight);
  let top = 0;
  own.forEach((score, number) => (top = Math.max(top, score + (beside[number] ?? 0))));
  if (top === 0) return { own, beside, share: weight.share };
  return {
    own: own.map((score) => score / top),
    beside: beside.map((score) => score / top),
    share: weight.share,
  };
}

/** Fewer similarities than this don't show how low they go. */
const FEW = 20;

/**
 * Spreads similarities over 0..1: as they come they are bunched together. The lowest that was found becomes 0, which is
 * also what a row counts that is not among the nearest: there is no step between the last one and the next. Few rows
 * don't show how low it goes; then 0 is where texts have nothing in common.
 */
function spreadOut(similarities: ReadonlyMap<string, number>): Map<string, number> {
  const top = Math.max(-1, ...similarities.values());
  const low = lowest(similarities);
  return new Map(
    [...similarities].map(([id, value]) => [id, top > low ? Math.max(0, value - low) / (top - low) : 1]),
  );
}

function lowest(similarities: ReadonlyMap<string, number>): number {
  const bottom = Math.min(1, ...similarities.values());
  return similarities.size < FEW ? Math.min(bottom, 0) : bottom;
}

/**
 * What was found with closer similarities of some turns in place of those that the turn's view gave: scaled to 0..1
 * from the lowest that the view found to the highest of them, and counted as much as the view.
 *
 * @param closer similarities by episode id; a turn without one stays as it is
 */
export function withCloser(
  fused: readonly Fused[],
  views: Views,
  closer: ReadonlyMap<string, number>,
): readonly Fused[] {
  const found = views.vector;
  if (found === undefined || found.size === 0 || closer.size === 0) return fused;
  const counted = (["text", "vector", "window"] as const).filter((view) => (views[view]?.size ?? 0) > 0);
  const whole = counted.reduce((sum, view) => sum + weightOf(view, views).share, 0);
  const share = weightOf("vector", views).share / whole;
  const low = lowest(found);
  const spread = Math.max(...closer.values()) - low;
  const most = Math.max(...fused.map(({ parts }) => parts["vector"] ?? 0));
  if (spread <= 0 || most === 0) return fused;
  return fused.map((each) => {
    const similarity = closer.get(each.place.id);
    if (similarity === undefined) return each;
    const vector = (most * Math.max(0, similarity - low)) / spread;
    const score = each.score + share * (vector - (each.parts["vector"] ?? 0));
    return { place: each.place, score: Math.min(1, Math.max(0, score)), parts: { ...each.parts, vector } };
  });
}

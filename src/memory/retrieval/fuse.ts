import type { Place, Turn } from "./candidates.ts";
import { addNeighbours, turnsBeside, type Around } from "./neighbours.ts";

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
interface Weight {
  readonly share: number;
  readonly beside: readonly number[];
  /** Added to the first step back where that turn asks something: what follows is the answer. */
  readonly asked: number;
}

/** Measured on long conversations with known evidence; the optimum is flat. */
const WEIGHTS: Readonly<Record<ViewName, Weight>> = {
  text: { share: 0.4, beside: [0.4, 0.4], asked: 0.4 },
  vector: { share: 0.2, beside: [], asked: 0 },
  window: { share: 0.15, beside: [], asked: 0 },
};
/** Without windows the embedding has their share, and the turns beside count for it too. */
const VECTOR_ALONE: Weight = { share: 0.35, beside: [0.3, 0.3], asked: 0.2 };

/** What a view found for a turn and for the turns beside it; their sum is 0..1. */
interface Share {
  readonly own: number;
  readonly beside: number;
}

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
  const around = neighbours ? turnsBeside(places) : new Map(places.map(({ id }) => [id, []]));
  const shares = new Map<ViewName, ReadonlyMap<string, Share>>();
  for (const view of ["text", "vector", "window"] as const) {
    const found = views[view];
    if (found === undefined || found.size === 0) continue;
    const scaled = view === "text" ? found : spreadOut(found);
    shares.set(view, share(scaled, around, weightOf(view, views)));
  }
  const weighted = [...shares].map(([view, values]) => ({
    view,
    values,
    share: weightOf(view, views).share,
  }));
  const whole = weighted.reduce((sum, each) => sum + each.share, 0);
  return places.map((place) => fuseOne(place, weighted, whole)).filter(({ score }) => score > 0);
}

function weightOf(view: ViewName, views: Views): Weight {
  return view === "vector" && views.window === undefined ? VECTOR_ALONE : WEIGHTS[view];
}

/** What a view says of all turns, and what it counts. */
interface Weighted {
  readonly view: ViewName;
  readonly values: ReadonlyMap<string, Share>;
  readonly share: number;
}

function fuseOne(place: Place, weighted: readonly Weighted[], whole: number): Fused {
  const parts: Record<string, number> = {};
  let sum = 0;
  for (const { view, values, share } of weighted) {
    const { own, beside } = values.get(place.id) ?? { own: 0, beside: 0 };
    parts[view] = own;
    if (view !== "window") parts[`${view}Neighbours`] = beside;
    sum += ((own + beside) * share) / whole;
  }
  return { place, score: Math.min(1, sum), parts };
}

/** Adds what the turns beside a turn scored, and divides by the highest sum. */
function share(
  found: ReadonlyMap<string, number>,
  around: Around,
  { beside, asked }: Weight,
): Map<string, Share> {
  const sums = new Map<string, Share>();
  let top = 0;
  for (const [id, steps] of around) {
    const own = found.get(id) ?? 0;
    const others = addNeighbours(steps, found, beside, asked);
    if (own + others > 0) {
      sums.set(id, { own, beside: others });
      top = Math.max(top, own + others);
    }
  }
  return new Map([...sums].map(([id, sum]) => [id, { own: sum.own / top, beside: sum.beside / top }]));
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
    return { ...each, score: Math.min(1, Math.max(0, score)), parts: { ...each.parts, vector } };
  });
}

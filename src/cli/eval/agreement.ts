import { bootstrap, wilson, type Interval } from "./statistics.ts";

/** Two opinions of one thing, such as a person's grade and a judge's. */
export type Rated = readonly [first: string | number, second: string | number];

/** How far a disagreement counts: as much as any other, or by the square of the distance between grades. */
export type Weights = "plain" | "quadratic";

/**
 * Agreement beyond chance (J. Cohen, 1960; weighted: 1968): 1 is full agreement, 0 what chance gives, below 0 less than
 * chance. Undefined without items, and where both said one and the same of everything: chance explains that too.
 * `categories`: all there are, in their order; weights go by that order. Throws for an opinion that is none of them.
 */
export function kappa(
  rated: readonly Rated[],
  categories: readonly (string | number)[],
  weights: Weights = "plain",
): number | undefined {
  const places = rated.map(
    ([first, second]) => [place(categories, first), place(categories, second)] as const,
  );
  const first = new Array<number>(categories.length).fill(0);
  const second = new Array<number>(categories.length).fill(0);
  let observed = 0;
  for (const [a, b] of places) {
    observed += distance(a, b, weights);
    first[a] = (first[a] ?? 0) + 1;
    second[b] = (second[b] ?? 0) + 1;
  }
  // Counts, not shares: whole numbers are exact, and nothing is divided by almost nothing.
  let expected = 0;
  first.forEach((count, a) =>
    second.forEach((other, b) => (expected += count * other * distance(a, b, weights))),
  );
  return expected === 0 ? undefined : 1 - (observed * places.length) / expected;
}

/** The same with an interval of resampled items; undefined where there is no agreement to speak of. */
export function kappaInterval(
  rated: readonly Rated[],
  categories: readonly (string | number)[],
  weights: Weights = "plain",
  seed = 1,
): Interval | undefined {
  if (kappa(rated, categories, weights) === undefined) return undefined;
  return bootstrap(rated, (sample) => kappa(sample, categories, weights) ?? Number.NaN, seed);
}

function place(categories: readonly (string | number)[], opinion: string | number): number {
  const at = categories.indexOf(opinion);
  if (at < 0) throw new RangeError(`${opinion} is none of ${categories.join(", ")}`);
  return at;
}

/** Only the proportions count: a constant factor falls out of the quotient. */
function distance(a: number, b: number, weights: Weights): number {
  if (weights === "plain") return a === b ? 0 : 1;
  return (a - b) ** 2;
}

/** A verdict of one pair in both orders: whose answer won when A stood first, and when B did; null: none, or a tie. */
export interface BothOrders {
  readonly aFirst: "A" | "B" | null;
  readonly bFirst: "A" | "B" | null;
}

/**
 * How often the verdict turned with the order, of the pairs where both orders have one. A judge that goes by the place
 * alone flips always, one that goes by the answers never.
 */
export function flipRate(
  verdicts: readonly BothOrders[],
): Interval & { readonly flips: number; readonly of: number } {
  const had = verdicts.filter(({ aFirst, bFirst }) => aFirst !== null && bFirst !== null);
  const flips = had.filter(({ aFirst, bFirst }) => aFirst !== bFirst).length;
  return { ...wilson(flips, had.length), flips, of: had.length };
}

/** Of the flips, how many went to whom stood first; the rest went to whom stood second. */
export function firstPlaceWins(verdicts: readonly BothOrders[]): number {
  return verdicts.filter(({ aFirst, bFirst }) => aFirst === "A" && bFirst === "B").length;
}

/** How often there was no grade. */
export function noGradeRate(
  scores: readonly (number | null)[],
): Interval & { readonly none: number; readonly of: number } {
  const none = scores.filter((score) => score === null).length;
  return { ...wilson(none, scores.length), none, of: scores.length };
}

/** How often each category was given, in the order of the categories; what is none of them is not counted. */
export function distribution<T extends string | number>(
  given: readonly (T | null)[],
  categories: readonly T[],
): readonly { readonly category: T; readonly count: number }[] {
  return categories.map((category) => ({ category, count: given.filter((one) => one === category).length }));
}

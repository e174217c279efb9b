import { seededRandom } from "../../agent/committee/shuffle.ts";

/** An estimate with the interval that the truth lies in, at 95 % confidence. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** The quantile of the normal distribution that 95 % confidence asks for. */
const Z = 1.959_963_984_540_054;
const RESAMPLES = 4_000;
/** Below this no percentile of resampled means is worth anything: a handful of values can't tell its own spread. */
const FEWEST_FOR_BOOTSTRAP = 6;

/**
 * A share with Wilson's score interval (E. B. Wilson, 1927), which holds for few trials and near 0 and 1, where the
 * usual one claims certainty. Trials may be a fraction: an effective number. Without trials nothing is known: 0..1.
 */
export function wilson(successes: number, trials: number): Interval {
  if (trials <= 0) return { estimate: 0, low: 0, high: 1 };
  const share = successes / trials;
  const squared = Z * Z;
  const middle = share + squared / (2 * trials);
  const reach = Z * Math.sqrt((share * (1 - share)) / trials + squared / (4 * trials * trials));
  const scale = 1 + squared / trials;
  return {
    estimate: share,
    // At the ends the formula is exact; the arithmetic is not, and would put the estimate outside of its interval.
    low: share === 0 ? 0 : Math.max(0, (middle - reach) / scale),
    high: share === 1 ? 1 : Math.min(1, (middle + reach) / scale),
  };
}

/** How often one case came out well. */
export interface Tally {
  readonly successes: number;
  readonly trials: number;
}

/**
 * The share of success over cases that were each run several times. Runs of one case resemble each other, so they must
 * not count as that many cases: Wilson's interval is taken at the effective number of trials, the trials over the
 * design effect (L. Kish, 1965; the variance of the ratio by linearisation), never less than the cases and never more
 * than the trials. Cases without a trial are left out.
 */
export function successRate(
  tallies: readonly Tally[],
): Interval & { readonly cases: number; readonly trials: number } {
  const had = tallies.filter(({ trials }) => trials > 0);
  const trials = sum(had.map((one) => one.trials));
  const successes = sum(had.map((one) => one.successes));
  const effective = effectiveTrials(had, successes, trials);
  const share = trials === 0 ? 0 : successes / trials;
  return { ...wilson(share * effective, effective), cases: had.length, trials };
}

function effectiveTrials(tallies: readonly Tally[], successes: number, trials: number): number {
  const cases = tallies.length;
  if (cases < 2 || trials === cases) return cases;
  const share = successes / trials;
  const binomial = (share * (1 - share)) / trials;
  const residues = tallies.map((one) => one.successes - share * one.trials);
  const clustered = ((cases / (cases - 1)) * sum(residues.map((residue) => residue ** 2))) / trials ** 2;
  // All the same tells nothing of how alike the runs of a case are: then they count as one.
  if (binomial === 0 || clustered === 0) return cases;
  return Math.min(trials, Math.max(cases, (trials * binomial) / clustered));
}

/** What a paired comparison shows. `raises` and `lowers` only where the whole interval lies on one side of 0. */
export type Effect = "raises" | "lowers" | "no difference shown" | "too few to tell";

/** A difference "with less without", pair by pair. */
export interface PairedDifference extends Interval {
  /** Pairs that were compared. */
  readonly pairs: number;
  /** Pairs with more of it with the feature. */
  readonly more: number;
  /** Pairs with less of it with the feature. */
  readonly less: number;
  /** Two-sided, of the exact sign test of more against less: McNemar's exact test where the outcomes are yes or no. */
  readonly p: number;
  readonly effect: Effect;
  /** How the interval came about: Newcombe's score interval, resampled means, or none to speak of. */
  readonly by: "score" | "bootstrap" | "range";
}

/** One case's outcome in two configurations, each 0..1: the share of its runs that came out well. */
export interface Pair {
  readonly with: number;
  readonly without: number;
}

/**
 * What a feature changes in the share of success, each case against itself. Where every outcome is yes or no, the
 * interval is R. G. Newcombe's (1998, method 10: Wilson's limits of both shares, joined by their correlation); where
 * cases have shares of several runs, the percentile interval of 4,000 resampled means, with a seeded generator, over
 * cases and not over runs. The test is exact (Q. McNemar, 1947; the sign test for shares). An effect is only told where
 * interval and test agree, so that six cases must differ, all in one direction, before anything is told at all.
 */
export function pairedDifference(pairs: readonly Pair[], seed = 1): PairedDifference {
  const differences = pairs.map((pair) => pair.with - pair.without);
  const isBinary = pairs.every((pair) => isYesOrNo(pair.with) && isYesOrNo(pair.without));
  const more = differences.filter((difference) => difference > 0).length;
  const less = differences.filter((difference) => difference < 0).length;
  const range = { low: -1, high: 1 };
  const interval = isBinary
    ? { ...newcombe(pairs), by: "score" as const }
    : meanDifference(differences, range, seed);
  const p = signTest(more, less);
  return { ...interval, pairs: pairs.length, more, less, p, effect: effectOf(interval, p, more + less) };
}

/**
 * What a feature changes in a figure such as tokens or seconds, each case against itself: mean of the differences with
 * the percentile interval of resampled means. With fewer than six cases the interval is the range of what was
 * seen, and nothing is told. Whether more is better, whoever shows it must say.
 */
export function pairedMean(differences: readonly number[], seed = 1): PairedDifference {
  const more = differences.filter((difference) => difference > 0).length;
  const less = differences.filter((difference) => difference < 0).length;
  const sorted = differences.toSorted((one, other) => one - other);
  const seen = { low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 };
  const interval = meanDifference(differences, seen, seed);
  const p = signTest(more, less);
  return {
    ...interval,
    pairs: differences.length,
    more,
    less,
    p,
    effect: effectOf(interval, interval.by === "range" ? 1 : 0, more + less),
  };
}

function effectOf({ low, high }: { low: number; high: number }, p: number, differing: number): Effect {
  if (differing < FEWEST_FOR_BOOTSTRAP) return "too few to tell";
  if (p > 0.05 || (low <= 0 && high >= 0)) return "no difference shown";
  return low > 0 ? "raises" : "lowers";
}

function meanDifference(
  differences: readonly number[],
  range: { readonly low: number; readonly high: number },
  seed: number,
): Interval & { readonly by: "bootstrap" | "range" } {
  const estimate = mean(differences);
  if (differences.length < FEWEST_FOR_BOOTSTRAP) return { estimate, ...range, by: "range" };
  return { ...bootstrap(differences, mean, seed), by: "bootstrap" };
}

/**
 * The percentile interval of a figure over resampled items (B. Efron, 1979). The same seed gives the same interval.
 * Resamples for which the figure is no number are left out; without any the interval is the estimate alone.
 */
export function bootstrap<T>(
  items: readonly T[],
  figure: (sample: readonly T[]) => number,
  seed = 1,
): Interval {
  const estimate = figure(items);
  const next = seededRandom(String(seed));
  const figures: number[] = [];
  for (let count = 0; count < RESAMPLES && items.length > 0; count += 1) {
    const sample = items.map(() => items[Math.floor(next() * items.length)] as T);
    const value = figure(sample);
    if (Number.isFinite(value)) figures.push(value);
  }
  if (figures.length === 0) return { estimate, low: estimate, high: estimate };
  figures.sort((a, b) => a - b);
  return { estimate, low: quantile(figures, 0.025), high: quantile(figures, 0.975) };
}

/** Two-sided exact test of so many against so many, where chance would give each a half; 1 where there is nothing. */
export function signTest(more: number, less: number): number {
  const all = more + less;
  const fewer = Math.min(more, less);
  let term = 0.5 ** all;
  let tail = 0;
  for (let count = 0; count <= fewer; count += 1) {
    tail += term;
    term *= (all - count) / (count + 1);
  }
  return Math.min(1, 2 * tail);
}

function newcombe(pairs: readonly Pair[]): Interval {
  const all = pairs.length;
  if (all === 0) return { estimate: 0, low: -1, high: 1 };
  const count = (isIn: (pair: Pair) => boolean) => pairs.filter(isIn).length;
  const both = count((pair) => pair.with === 1 && pair.without === 1);
  const gained = count((pair) => pair.with === 1 && pair.without === 0);
  const lost = count((pair) => pair.with === 0 && pair.without === 1);
  const neither = all - both - gained - lost;
  const first = wilson(both + gained, all);
  const second = wilson(both + lost, all);
  const estimate = (gained - lost) / all;
  const phi = correlation(both, gained, lost, neither);
  const reach = (up: number, down: number): number =>
    Math.sqrt(Math.max(0, up ** 2 - 2 * phi * up * down + down ** 2));
  return {
    estimate,
    low: Math.max(-1, estimate - reach(first.estimate - first.low, second.high - second.estimate)),
    high: Math.min(1, estimate + reach(first.high - first.estimate, second.estimate - second.low)),
  };
}

/** Correlation of two yes-or-no outcomes, corrected for continuity as the method asks for. */
function correlation(both: number, gained: number, lost: number, neither: number): number {
  const margins = (both + gained) * (lost + neither) * (both + lost) * (gained + neither);
  if (margins === 0) return 0;
  const determinant = both * neither - gained * lost;
  const half = (both + gained + lost + neither) / 2;
  const corrected = determinant > 0 ? Math.max(0, determinant - half) : determinant;
  return corrected / Math.sqrt(margins);
}

/** The mean; 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

/** The value below which a share of sorted values lies, between two neighbours in proportion; NaN of nothing. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function isYesOrNo(value: number): boolean {
  return value === 0 || value === 1;
}

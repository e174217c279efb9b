/** What a figure came to. */
export interface Measured {
  readonly value: number;
  /** What it is compared to, measured in the same run. */
  readonly reference: { readonly name: string; readonly value: number; readonly unit: string };
  readonly rounds: number;
  /** Lower and upper quartile of the value over the rounds; the same number twice for a size. */
  readonly spread: readonly [number, number];
  /** More to know, for people. */
  readonly note?: string;
}

/** What a run is told beside which figures it measures. */
export interface BenchOptions {
  /** A file of conversations in the form of LoCoMo, or one of texts of tool calls (`.jsonl`). */
  readonly data?: string;
  /** Rows of the synthetic store; 100,000 when left out. */
  readonly rows?: number;
}

/** Thrown where something a figure needs is not there; the message says what. It is left out then, not failed. */
export class Skipped extends Error {}

/** A figure that can be measured. */
export interface Figure {
  /** Dotted, such as `loop.overhead.ratio`. */
  readonly name: string;
  readonly unit: "ratio" | "ms" | "kB" | "MB" | "%";
  /** It holds when the value is not above this; with `atLeast` when it is not below. */
  readonly goal: number;
  readonly atLeast?: true;
  /** One line: what is compared to what. */
  readonly about: string;
  measure(options: BenchOptions): Promise<Measured>;
}

/** A figure as it is written to the file. */
export interface FigureRecord {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: number;
  /** The goal is a lower bound. */
  readonly atLeast?: true;
  readonly holds: boolean;
  readonly reference: { readonly name: string; readonly value: number; readonly unit: string };
  readonly rounds: number;
  readonly spread: readonly [number, number];
}

/** The value at a share (0..1) of sorted samples, between neighbours where it falls between. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/** The middle of samples. */
export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** The quartiles of samples. */
export function quartiles(samples: readonly number[]): readonly [number, number] {
  return [quantile(samples, 0.25), quantile(samples, 0.75)];
}

/** Two things measured in turns, so that what else the machine does hits both alike. */
export interface Pair {
  readonly ours: readonly number[];
  readonly reference: readonly number[];
}

/**
 * Measures two things in turns, the order changing from round to round. The first rounds are thrown away: they pay for
 * compilation and connections.
 */
export async function interleave(
  rounds: number,
  warmUp: number,
  ours: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<Pair> {
  const pair: { ours: number[]; reference: number[] } = { ours: [], reference: [] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [ours, reference] : [reference, ours];
    const [one, two] = [await first(), await second()];
    if (round < 0) continue;
    pair.ours.push(round % 2 === 0 ? one : two);
    pair.reference.push(round % 2 === 0 ? two : one);
  }
  return pair;
}

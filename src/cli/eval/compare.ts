import type { EvalComparison, EvalRun, Feature } from "../../trace/eval/report.ts";
import { differenceOf, parseConfiguration } from "./configurations.ts";
import { mean, pairedDifference, pairedMean } from "./statistics.ts";
import { byCase, counted } from "./summary.ts";

/** How a feature is called at the beginning of a sentence. */
const NAMES: Readonly<Record<Feature, string>> = {
  memory: "Memory",
  tools: "Tools",
  critic: "The critic",
  committee: "The committee",
};

/** What one case came to in one configuration, over its repeats. */
interface Side {
  readonly share: number;
  readonly tokens: number;
  readonly seconds: number;
}

/**
 * Compares all configurations that differ in one feature, case by case, by whether the answers were right. Cases that
 * ran in only one of them, that could not be run in one, or that say nothing of answers, are left out: a server that
 * went away is no feature's fault.
 */
export function compareFeatures(
  all: readonly EvalRun[],
  names: readonly string[],
  committeeCases: ReadonlySet<string>,
): readonly EvalComparison[] {
  const silent = new Set(
    counted(all)
      .filter(({ answerRight }) => answerRight === undefined)
      .map((run) => run.case),
  );
  const runs = counted(all).filter((run) => !silent.has(run.case));
  const pairs = names.flatMap((one) => names.map((other) => [one, other] as const));
  return pairs.flatMap(([one, other]) => {
    const feature = featureBetween(one, other);
    if (feature === undefined) return [];
    const isMeant = ({ case: name }: EvalRun): boolean =>
      feature !== "committee" || !one.startsWith("as-written") || committeeCases.has(name);
    const withIt = sides(runs.filter((run) => run.configuration === one && isMeant(run)));
    const withoutIt = sides(runs.filter((run) => run.configuration === other && isMeant(run)));
    const cases = [...withIt.keys()].filter((name) => withoutIt.has(name));
    return cases.length === 0 ? [] : [compared(feature, [one, other], cases, withIt, withoutIt)];
  });
}

function featureBetween(one: string, other: string): Feature | undefined {
  const [first, second] = [parseConfiguration(one), parseConfiguration(other)];
  return first === undefined || second === undefined ? undefined : differenceOf(first, second);
}

function sides(runs: readonly EvalRun[]): ReadonlyMap<string, Side> {
  return new Map(
    [...byCase(runs)].map(([name, own]) => [
      name,
      {
        share: own.filter(({ answerRight }) => answerRight === true).length / own.length,
        tokens: mean(own.map((run) => run.inputTokens + run.outputTokens)),
        seconds: mean(own.map((run) => run.totalMs / 1_000)),
      },
    ]),
  );
}

function compared(
  feature: Feature,
  [one, other]: readonly [string, string],
  cases: readonly string[],
  withIt: ReadonlyMap<string, Side>,
  withoutIt: ReadonlyMap<string, Side>,
): EvalComparison {
  const pairs = cases.map((name) => ({
    name,
    with: withIt.get(name) ?? NOTHING,
    without: withoutIt.get(name) ?? NOTHING,
  }));
  const success = pairedDifference(
    pairs.map((pair) => ({ with: pair.with.share, without: pair.without.share })),
  );
  const result = {
    feature,
    with: one,
    without: other,
    both: pairs.filter((pair) => pair.with.share === 1 && pair.without.share === 1).length,
    onlyWith: pairs.filter((pair) => pair.with.share > pair.without.share).map(({ name }) => name),
    onlyWithout: pairs.filter((pair) => pair.with.share < pair.without.share).map(({ name }) => name),
    neither: pairs.filter((pair) => pair.with.share === 0 && pair.without.share === 0).length,
    success,
    tokens: pairedMean(pairs.map((pair) => pair.with.tokens - pair.without.tokens)),
    seconds: pairedMean(pairs.map((pair) => pair.with.seconds - pair.without.seconds)),
  };
  const shares = {
    with: mean(pairs.map((pair) => pair.with.share)),
    without: mean(pairs.map((pair) => pair.without.share)),
  };
  return { ...result, verdict: verdict(result, shares) };
}

const NOTHING: Side = { share: 0, tokens: 0, seconds: 0 };

/** Says in a sentence whether a feature helps on these cases, and what it costs. */
function verdict(
  { feature, success, tokens, seconds, onlyWith, onlyWithout }: Omit<EvalComparison, "verdict">,
  shares: { readonly with: number; readonly without: number },
): string {
  const name = NAMES[feature];
  const are = feature === "tools" ? "do" : "does";
  const cases = success.pairs === 1 ? "this 1 case" : `these ${success.pairs} cases`;
  const figures = `${percent(shares.with)} with, ${percent(shares.without)} without; difference ${points(success.estimate)}, 95 % interval ${points(success.low)} to ${points(success.high)}`;
  const cost = `It costs ${signed(Math.round(tokens.estimate))} tokens and ${signed(Number(seconds.estimate.toFixed(2)))} s a run.`;
  switch (success.effect) {
    case "raises":
      return `${name} ${feature === "tools" ? "help" : "helps"} on ${cases} (${figures}). ${cost}`;
    case "lowers":
      return `${name} ${feature === "tools" ? "hurt" : "hurts"} on ${cases} (${figures}). ${cost}`;
    case "no difference shown":
      return `${name} ${are} not help on ${cases}: no difference is shown (${figures}). ${cost}`;
    case "too few to tell": {
      const differing = onlyWith.length + onlyWithout.length;
      if (differing === 0)
        return `${name} ${are} not help on ${cases}: every one came out the same with and without (${figures}). ${cost}`;
      if (onlyWith.length <= onlyWithout.length)
        return `${name} ${are} not help on ${cases}: ${differing} of ${success.pairs} differ, ${onlyWith.length} better with, ${onlyWithout.length} better without; too few to tell whether ${feature === "tools" ? "they hurt" : "it hurts"} (${figures}). ${cost}`;
      return `Too few cases to tell whether ${name.toLowerCase()} ${feature === "tools" ? "help" : "helps"}: ${differing} of ${success.pairs} differ, ${onlyWith.length} better with, ${onlyWithout.length} better without (${figures}). ${cost}`;
    }
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function points(difference: number): string {
  return `${signed(Math.round(difference * 100))} points`;
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : value === 0 ? "0" : `-${Math.abs(value)}`;
}

import type { JudgeCost } from "../../../agent/critic/types.ts";
import type { PairwiseOrder } from "../../../agent/events-judged.ts";
import type { EvalJudge } from "../../../trace/eval/report.ts";
import {
  distribution,
  firstPlaceWins,
  flipRate,
  kappaInterval,
  noGradeRate,
  type Rated,
} from "../agreement.ts";
import { mean, type Interval } from "../statistics.ts";
import type { JudgedGrade, JudgedPair } from "./judged.ts";
import type { LabelledSet } from "./labelled-set.ts";

const GRADES = [1, 2, 3, 4, 5] as const;
const VERDICTS = ["A", "B", "tie"] as const;

/** What a trial brought. */
interface Trial {
  readonly model: string;
  readonly set: LabelledSet;
  readonly rubric: string;
  readonly grades: readonly JudgedGrade[];
  readonly pairs: readonly JudgedPair[];
  readonly costs: readonly JudgeCost[];
}

/** Makes figures of a judge's trial. What has no grade or no verdict is counted as such and stays out of kappa. */
export function opinionOf({ model, set, rubric, grades, pairs, costs }: Trial): EvalJudge {
  const scores = grades.map(({ outcome }) => outcome.score);
  const rated = grades.flatMap(({ item, outcome }): readonly Rated[] =>
    outcome.score === null ? [] : [[item.label, outcome.score]],
  );
  const verdicts = pairs
    .filter((pair) => !isUnread(pair))
    .map(({ item, outcome }): Rated => [item.label, outcome.winner ?? "tie"]);
  const kappa = kappaInterval(rated, GRADES);
  const weightedKappa = kappaInterval(rated, GRADES, "quadratic");
  const pairKappa = kappaInterval(verdicts, VERDICTS);
  const flips = flipRate(pairs.map(bothOrders));
  const noGrade = noGradeRate(scores);
  const given = distribution(scores, GRADES);
  const labels = distribution(
    grades.map(({ item }) => item.label),
    GRADES,
  );
  const kind = (grades[0] ?? pairs[0])?.outcome.judge;
  const notes = [...sorts(grades), ...placeNotes(pairs), ...coincidences(rated.length, given)];
  return {
    model,
    ...(kind && { kind }),
    rubric,
    set: set.file,
    items: grades.length + pairs.length,
    ...(kappa && { kappa }),
    ...(weightedKappa && { weightedKappa }),
    ...(pairKappa && { pairKappa }),
    flips,
    noGrade,
    distribution: given.map(({ category, count }, at) => ({
      score: category,
      given: count,
      labelled: labels[at]?.count ?? 0,
    })),
    seconds: costs.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000,
    inputTokens: costs.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0),
    outputTokens: costs.reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0),
    verdict: verdictOf(weightedKappa, rated.length, noGrade, flips),
    notes,
  };
}

function bothOrders({ outcome: { orders } }: JudgedPair) {
  const winner = (first: PairwiseOrder["first"]) =>
    orders.find((order) => order.first === first)?.winner ?? null;
  return { aFirst: winner("A"), bFirst: winner("B") };
}

/** Nothing could be read in one order: the product takes that for a tie, but the judge did not say so. */
function isUnread({ outcome }: JudgedPair): boolean {
  return outcome.orders.some(({ raw }) => raw !== undefined);
}

/** Fewer labels than that say nothing of a judge, whatever comes out. */
const FEWEST_ITEMS = 10;

/** What a kappa is worth in words, as J. Landis and G. Koch proposed (1977). */
const WORDS = [
  { least: 0.81, word: "almost perfect" },
  { least: 0.61, word: "substantial" },
  { least: 0.41, word: "moderate" },
  { least: 0.21, word: "fair" },
] as const;

function verdictOf(
  kappa: Interval | undefined,
  items: number,
  noGrade: EvalJudge["noGrade"],
  flips: EvalJudge["flips"],
): string {
  return [
    agreement(kappa, items),
    ...(noGrade.none > 0 ? [`It gave no grade to ${noGrade.none} of ${noGrade.of}.`] : []),
    ...(flips.flips > 0
      ? [`With the order of the answers ${flips.flips} of ${flips.of} verdicts turned.`]
      : []),
  ].join(" ");
}

function agreement(kappa: Interval | undefined, items: number): string {
  if (items === 0) return "It gave no grade that could be compared with a label.";
  if (kappa === undefined)
    return `Its grades and the labels are all the same, so ${items} items tell nothing of it.`;
  if (items < FEWEST_ITEMS) return `${items} items are too few to tell whether it agrees with the labels.`;
  const figures = `weighted kappa ${kappa.estimate.toFixed(2)}, ${kappa.low.toFixed(2)} to ${kappa.high.toFixed(2)}, ${items} items`;
  if (kappa.low <= 0) return `It is not shown to agree with the labels better than chance does (${figures}).`;
  const word = WORDS.find(({ least }) => kappa.estimate >= least)?.word ?? "slight";
  return `Its agreement with the labels is ${word} (${figures}).`;
}

/** How the judge took each sort of answer, such as padded or hostile ones: that is where judges go wrong. */
function sorts(grades: readonly JudgedGrade[]): readonly string[] {
  const names = [...new Set(grades.flatMap(({ item }) => item.kind ?? []))];
  return names.map((name) => {
    const own = grades.filter(({ item }) => item.kind === name);
    const given = own.flatMap(({ outcome }) => outcome.score ?? []);
    const labelled = mean(own.map(({ item }) => item.label)).toFixed(1);
    const got = given.length === 0 ? "no grade" : `${mean(given).toFixed(1)} on average`;
    return `Answers of the sort "${name}": labelled ${labelled} on average, given ${got} (${own.length} items).`;
  });
}

function placeNotes(pairs: readonly JudgedPair[]): readonly string[] {
  const orders = pairs.map(bothOrders);
  const first = firstPlaceWins(orders);
  const { flips } = flipRate(orders);
  const unread = pairs.filter(isUnread).length;
  return [
    ...(flips > 0 ? [`Of the ${flips} verdicts that turned, ${first} went to whom stood first.`] : []),
    ...(unread > 0 ? [`No verdict could be read in at least one order of ${unread} pairs.`] : []),
  ];
}

/** A judge that always says the same looks well on a set that is mostly that. */
function coincidences(
  graded: number,
  given: readonly { category: number; count: number }[],
): readonly string[] {
  const most = given.find(({ count }) => graded > 4 && count / graded > 0.8);
  return most === undefined
    ? []
    : [`It gave ${most.category} to ${most.count} of ${graded}: it hardly tells answers apart.`];
}

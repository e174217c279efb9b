import type { CommitteeAnalysis } from "../../trace/analysis/committee.ts";
import type { EvalCommittee, EvalRun } from "../../trace/eval/report.ts";
import { mean, pairedDifference, successRate, wilson, type PairedDifference } from "./statistics.ts";
import { percent } from "./words.ts";

/** One case asked in three ways at one cost. */
export interface Trio {
  readonly case: string;
  readonly committee: EvalRun;
  readonly single: EvalRun;
  /** Self-consistency. */
  readonly sampled: EvalRun;
  /** How many samples it was asked for. */
  readonly samples: number;
  /** Of the committee's turns. */
  readonly analyses: readonly CommitteeAnalysis[];
}

type Row = EvalCommittee["rows"][number];

/** Makes the report's section of what a committee is worth at equal tokens. */
export function equalTokensReport(trios: readonly Trio[]): EvalCommittee {
  const analyses = trios.flatMap((trio) => trio.analyses);
  const members = analyses.flatMap((one) => one.members);
  const total = (count: (one: CommitteeAnalysis) => number) =>
    analyses.reduce((sum, one) => sum + count(one), 0);
  const yielded = total(({ conformity }) => conformity.yielded);
  const stoodAgainst = total(({ conformity }) => conformity.stoodAgainst);
  return {
    rows: trios.length === 0 ? [] : rowsOf(trios),
    flips: {
      toRight: total(({ flips }) => flips.wrongToRight),
      toWrong: total(({ flips }) => flips.rightToWrong),
      changed: members.filter(({ changes }) => changes > 0).length,
      of: members.filter(({ first }) => first !== undefined).length,
    },
    conformity: { yielded, of: stoodAgainst, share: wilson(yielded, stoodAgainst) },
    synthesis: {
      better: total(({ synthesisAgainstBest }) => Number(synthesisAgainstBest === "better")),
      worse: total(({ synthesisAgainstBest }) => Number(synthesisAgainstBest === "worse")),
      same: total(({ synthesisAgainstBest }) => Number(synthesisAgainstBest === "same")),
    },
    verdict: verdictOf(trios),
  };
}

function rowsOf(trios: readonly Trio[]): readonly Row[] {
  const samples = [...new Set(trios.map((trio) => trio.samples))].sort((a, b) => a - b);
  const range = samples.length === 1 ? `${samples[0] ?? 0}` : `${samples[0] ?? 0} to ${samples.at(-1) ?? 0}`;
  const name = trios[0]?.analyses[0]?.strategy ?? "committee";
  const committee = row(name, trios, ({ committee: run }) => run);
  const inside = (called: string, isRight: (one: CommitteeAnalysis) => boolean, note: string): Row => ({
    ...insideRow(called, trios, isRight),
    inputTokens: committee.inputTokens,
    outputTokens: committee.outputTokens,
    seconds: committee.seconds,
    note,
  });
  return [
    committee,
    row(
      "self-consistency",
      trios,
      ({ sampled }) => sampled,
      `${range} samples: as many as the committee's tokens buy`,
    ),
    row("single", trios, ({ single }) => single, "one answer; it leaves the other tokens unused"),
    inside(
      "best single answer",
      ({ best }) => best?.right === true,
      "counted beside the synthesis, at the committee's cost",
    ),
    inside("majority", ({ majority }) => majority?.right === true, "the same; without a majority it is none"),
    inside(
      "any member",
      ({ anyRight }) => anyRight === true,
      "what a perfect sum of the last answers would reach",
    ),
  ];
}

/** What the runs of one way came to; tokens and seconds are means of a run. */
function row(name: string, trios: readonly Trio[], of: (trio: Trio) => EvalRun, note?: string): Row {
  const runs = trios.map(of);
  const shares = byCase(trios, (trio) => isRight(of(trio)));
  return {
    name,
    turns: runs.length,
    right: runs.filter(isRight).length,
    success: intervalOf(shares),
    inputTokens: mean(runs.map(({ inputTokens }) => inputTokens)),
    outputTokens: mean(runs.map(({ outputTokens }) => outputTokens)),
    seconds: mean(runs.map(({ totalMs }) => totalMs / 1_000)),
    ...(note !== undefined && { note }),
  };
}

function insideRow(
  name: string,
  trios: readonly Trio[],
  isWell: (one: CommitteeAnalysis) => boolean,
): Pick<Row, "name" | "turns" | "right" | "success"> {
  const allWell = ({ analyses }: Trio) => analyses.length > 0 && analyses.every(isWell);
  return {
    name,
    turns: trios.length,
    right: trios.filter(allWell).length,
    success: intervalOf(byCase(trios, allWell)),
  };
}

interface CaseTally {
  successes: number;
  trials: number;
}

/** How often each case came out well, over its repeats. */
function byCase(trios: readonly Trio[], isWell: (trio: Trio) => boolean): ReadonlyMap<string, CaseTally> {
  const tallies = new Map<string, CaseTally>();
  for (const trio of trios) {
    const { successes, trials } = tallies.get(trio.case) ?? { successes: 0, trials: 0 };
    tallies.set(trio.case, { successes: successes + Number(isWell(trio)), trials: trials + 1 });
  }
  return tallies;
}

function intervalOf(tallies: ReadonlyMap<string, CaseTally>): Row["success"] {
  const { estimate, low, high } = successRate([...tallies.values()]);
  return { estimate, low, high };
}

function isRight({ answerRight }: EvalRun): boolean {
  return answerRight === true;
}

/** Says in words what the committee is worth, each case against itself. */
function verdictOf(trios: readonly Trio[]): string {
  if (trios.length === 0)
    return "No case says both what is right and who sits in a committee, so nothing was compared.";
  const against = (of: (trio: Trio) => EvalRun): PairedDifference => {
    const [one, other] = [
      byCase(trios, ({ committee }) => isRight(committee)),
      byCase(trios, (trio) => isRight(of(trio))),
    ];
    return pairedDifference(
      [...one].map(([name, tally]) => ({ with: share(tally), without: share(other.get(name)) })),
    );
  };
  return [
    sentence(
      against(({ sampled }) => sampled),
      "self-consistency at equal tokens",
    ),
    sentence(
      against(({ single }) => single),
      "a single answer",
    ),
  ].join(" ");
}

function share(tally: CaseTally | undefined): number {
  return tally === undefined || tally.trials === 0 ? 0 : tally.successes / tally.trials;
}

function sentence(
  { pairs, effect, estimate, low, high, more, less }: PairedDifference,
  other: string,
): string {
  const cases = pairs === 1 ? "1 case" : `${pairs} cases`;
  const figures = `better on ${more}, worse on ${less} of ${cases}; difference ${signed(estimate)}, 95 % interval ${signed(low)} to ${signed(high)}`;
  switch (effect) {
    case "raises":
      return `The committee is right more often than ${other} (${figures}).`;
    case "lowers":
      return `The committee is right less often than ${other} (${figures}).`;
    case "no difference shown":
      return `No difference is shown between the committee and ${other} (${figures}).`;
    case "too few to tell":
      return `Too few cases come out differently to tell the committee from ${other} (${figures}).`;
  }
}

function signed(share: number): string {
  return `${share > 0 ? "+" : ""}${percent(share)}`;
}

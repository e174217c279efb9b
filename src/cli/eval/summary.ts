import type { EvalConfiguration, EvalRun } from "../../trace/eval/report.ts";
import { describeConfiguration, parseConfiguration } from "./configurations.ts";
import { mean, successRate, type Tally } from "./statistics.ts";

/** Runs that came to an end, and so count. */
export function counted(runs: readonly EvalRun[]): readonly EvalRun[] {
  return runs.filter(({ outcome }) => outcome !== "cancelled");
}

/** The runs of each case, by its name. */
export function byCase(runs: readonly EvalRun[]): ReadonlyMap<string, readonly EvalRun[]> {
  const cases = new Map<string, EvalRun[]>();
  for (const run of runs) cases.set(run.case, [...(cases.get(run.case) ?? []), run]);
  return cases;
}

/** The figures of one configuration over all its runs. A run that could not be made counts as one that failed. */
export function summarise(name: string, all: readonly EvalRun[], isComparison: boolean): EvalConfiguration {
  const runs = counted(all).filter(({ configuration }) => configuration === name);
  const tallies: Tally[] = [...byCase(runs).values()].map((own) => ({
    successes: own.filter(isPassed).length,
    trials: own.length,
  }));
  const calls = {
    expected: sum(runs, (run) => run.toolCalls.expected),
    made: sum(runs, (run) => run.toolCalls.made),
    wrong: sum(runs, (run) => run.toolCalls.wrong),
    missing: sum(runs, (run) => run.toolCalls.missing),
  };
  const questions = sum(runs, ({ turns }) => turns.length);
  const configuration = parseConfiguration(name);
  return {
    name,
    description: configuration === undefined ? name : describeConfiguration(configuration),
    comparison: isComparison,
    runs: runs.length,
    passed: runs.filter(isPassed).length,
    failed: runs.filter(({ outcome }) => outcome === "failed").length,
    errors: runs.filter(({ outcome }) => outcome === "error").length,
    success: successRate(tallies),
    toolCalls: calls,
    mean: meansOf(runs),
    stepsPerQuestion: questions === 0 ? 0 : sum(runs, ({ steps }) => steps) / questions,
    ...(calls.expected > 0 && { callsRight: (calls.expected - calls.missing) / calls.expected }),
  };
}

/** Whether a run came out well. */
export function isPassed({ outcome }: EvalRun): boolean {
  return outcome === "passed";
}

function meansOf(runs: readonly EvalRun[]): EvalConfiguration["mean"] {
  const of = (figure: (run: EvalRun) => number): number => mean(runs.map(figure));
  const grades = runs.flatMap(({ grade }) => (grade === undefined ? [] : [grade]));
  return {
    steps: of(({ steps }) => steps),
    inputTokens: of(({ inputTokens }) => inputTokens),
    outputTokens: of(({ outputTokens }) => outputTokens),
    prefillMs: of(({ prefillMs }) => prefillMs),
    totalMs: of(({ totalMs }) => totalMs),
    retries: of(({ retries }) => retries),
    repairs: of(({ repairs }) => repairs),
    seconds: of(({ totalMs }) => totalMs / 1_000),
    ...(grades.length > 0 && { grade: mean(grades) }),
  };
}

function sum(runs: readonly EvalRun[], figure: (run: EvalRun) => number): number {
  return runs.reduce((total, run) => total + figure(run), 0);
}

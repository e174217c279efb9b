import { cutAtGrapheme } from "../../agent/text.ts";
import type { EvalComparison, EvalReport, EvalRun } from "./report.ts";

/*
 * A report as the panel is sent it: all that is said of it in one message of bounded size, its runs page by page.
 */

const MAX_CONFIGURATIONS = 40;
const MAX_COMPARISONS = 40;
const MAX_ROWS = 40;
const MAX_NOTES = 40;
/** Cases that are named of a comparison. */
const MAX_CASES = 20;
const MAX_TEXT = 600;
const MAX_NAME = 120;
const MAX_CASE_ROWS = 200;
const MAX_COLUMNS = 8;

/** One run as a row of a list. */
export interface EvalRunRow {
  readonly case: string;
  readonly configuration: string;
  readonly repeat: number;
  readonly outcome: EvalRun["outcome"];
  readonly calls: EvalRun["toolCalls"];
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly seconds: number;
  readonly grade?: number;
  /** What did not hold first, or what kept it from being run; empty where it passed. */
  readonly why: string;
  /** Its trace can be shown. */
  readonly hasTrace: boolean;
}

/** How one case came out in each configuration, in the report's order of them. */
export interface EvalCaseRow {
  readonly case: string;
  readonly results: readonly { readonly passed: number; readonly runs: number }[];
}

/** A report without its runs. */
export type EvalView = Omit<EvalReport, "runs" | "seeds" | "settings" | "schema"> & {
  readonly runs: number;
  /** Runs that did not pass, those of configurations that only stand beside others left out. */
  readonly failures: number;
  /** Case by case: those that did not always pass first. */
  readonly cases: readonly EvalCaseRow[];
  /** How many cases there are. */
  readonly caseCount: number;
  /** How many settings were not as the product has them. */
  readonly changedSettings: number;
};

/** A report as it stands in a list. */
export interface EvalHead {
  /** What it is opened by. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly model: string;
  readonly kind: EvalReport["server"]["kind"];
  readonly passed: number;
  readonly runs: number;
}

function text(value: string): string {
  return value.length <= MAX_TEXT ? value : `${cutAtGrapheme(value, MAX_TEXT)} …`;
}

function name(value: string): string {
  return cutAtGrapheme(value, MAX_NAME);
}

/** What is said of a report at its head. */
export function headOf(id: string, { startedAt, model, server, configurations }: EvalReport): EvalHead {
  const counted = configurations.filter(({ comparison }) => !comparison);
  const sum = (of: (one: (typeof counted)[number]) => number) =>
    counted.reduce((total, one) => total + of(one), 0);
  return {
    ...{ id, startedAt, model: name(model), kind: server.kind },
    passed: sum(({ passed }) => passed),
    runs: sum(({ runs }) => runs),
  };
}

/** A report as the panel shows it: no text and no list of it is without end. */
export function viewOf(report: EvalReport): EvalView {
  const { runs, settings, committee, judge } = report;
  const beside = new Set(report.configurations.filter(({ comparison }) => comparison).map((one) => one.name));
  const { version, startedAt, durationMs, outcome, server, repeats } = report;
  return {
    ...{ version, startedAt, durationMs, outcome, server, repeats },
    model: name(report.model),
    runs: runs.length,
    failures: runs.filter(({ outcome, configuration }) => outcome !== "passed" && !beside.has(configuration))
      .length,
    changedSettings: Object.keys(settings).length,
    ...casesOf(report),
    configurations: report.configurations.slice(0, MAX_CONFIGURATIONS).map((one) => ({
      ...one,
      name: name(one.name),
      description: text(one.description),
    })),
    comparisons: report.comparisons.slice(0, MAX_COMPARISONS).map(comparisonOf),
    ...(committee && {
      committee: {
        ...committee,
        verdict: text(committee.verdict),
        rows: committee.rows.slice(0, MAX_ROWS).map(({ note, ...row }) => ({
          ...row,
          name: name(row.name),
          ...(note !== undefined && { note: text(note) }),
        })),
      },
    }),
    ...(judge && {
      judge: {
        ...judge,
        verdict: text(judge.verdict),
        notes: (judge.notes ?? []).slice(0, MAX_NOTES).map(text),
      },
    }),
    notes: report.notes.slice(0, MAX_NOTES).map(text),
  };
}

function casesOf({ runs, configurations }: EvalReport): Pick<EvalView, "cases" | "caseCount"> {
  const shown = configurations.slice(0, MAX_COLUMNS).map((one) => one.name);
  const cases = new Map<string, { passed: number; runs: number }[]>();
  for (const { case: key, configuration, outcome } of runs) {
    const results = cases.get(key) ?? shown.map(() => ({ passed: 0, runs: 0 }));
    cases.set(key, results);
    const result = results[shown.indexOf(configuration)];
    if (result === undefined) continue;
    result.runs += 1;
    if (outcome === "passed") result.passed += 1;
  }
  const missed = (row: EvalCaseRow) => row.results.reduce((sum, one) => sum + one.runs - one.passed, 0);
  const rows = [...cases].map(([key, results]): EvalCaseRow => ({ case: name(key), results }));
  return {
    caseCount: rows.length,
    cases: rows.sort((one, other) => missed(other) - missed(one)).slice(0, MAX_CASE_ROWS),
  };
}

function comparisonOf(comparison: EvalComparison): EvalComparison {
  return {
    ...comparison,
    with: name(comparison.with),
    without: name(comparison.without),
    onlyWith: comparison.onlyWith.slice(0, MAX_CASES).map(name),
    onlyWithout: comparison.onlyWithout.slice(0, MAX_CASES).map(name),
    verdict: text(comparison.verdict),
  };
}

/** A run as a row of a list. */
export function rowOf(run: EvalRun): EvalRunRow {
  const missed = run.checks.find(({ passed }) => !passed);
  const why = run.error ?? (missed === undefined ? "" : `${missed.name}: ${missed.reason}`);
  return {
    case: name(run.case),
    configuration: name(run.configuration),
    ...{ repeat: run.repeat, outcome: run.outcome, calls: run.toolCalls, steps: run.steps },
    ...{ inputTokens: run.inputTokens, outputTokens: run.outputTokens, seconds: run.totalMs / 1_000 },
    ...(run.grade !== undefined && { grade: run.grade }),
    why: text(why),
    hasTrace: run.traces.length > 0,
  };
}

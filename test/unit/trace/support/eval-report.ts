import { REPORT_SCHEMA, type EvalReport, type EvalRun } from "../../../../src/trace/eval/report.ts";

const usage = {
  steps: 2.4,
  inputTokens: 3_120,
  outputTokens: 240,
  prefillMs: 420,
  totalMs: 4_100,
  retries: 0.1,
  repairs: 0.2,
};

/** A run of a case. */
export function evalRun(change: Partial<EvalRun> = {}): EvalRun {
  return {
    case: "s3-current-data",
    file: "stories/s3.yaml",
    tags: [],
    configuration: "default",
    repeat: 1,
    seed: 1,
    outcome: "passed",
    checks: [],
    turns: [],
    toolCalls: { expected: 1, made: 1, wrong: 0, missing: 0 },
    ...usage,
    traces: ["traces/s3.jsonl"],
    ...change,
  };
}

function configuration(name: string, passed: number, runs: number, comparison: boolean) {
  const estimate = passed / runs;
  return {
    ...{
      name,
      description: `The product ${name}.`,
      comparison,
      runs,
      passed,
      failed: runs - passed,
      errors: 0,
    },
    success: {
      ...{ estimate, low: Math.max(0, estimate - 0.16), high: Math.min(1, estimate + 0.08) },
      ...{ cases: 14, trials: runs },
    },
    toolCalls: { expected: 20, made: 22, wrong: 2, missing: 0 },
    mean: { ...usage, seconds: 4.1, grade: 3.9 },
    stepsPerQuestion: 2.4,
    callsRight: 0.95,
  };
}

const difference = (estimate: number, effect: EvalReport["comparisons"][number]["success"]["effect"]) => ({
  ...{ estimate, low: estimate - 0.1, high: estimate + 0.1, pairs: 28, more: 5, less: 1, p: 0.21 },
  ...{ effect, by: "score" as const },
});

/** A report with something of everything. */
export function evalReport(change: Partial<EvalReport> = {}): EvalReport {
  return {
    schema: REPORT_SCHEMA,
    version: "0.1.0",
    startedAt: Date.UTC(2026, 10, 27, 9, 30),
    durationMs: 184_000,
    outcome: "finished",
    server: { kind: "live", host: "127.0.0.1:11434", version: "0.12.0" },
    model: "qwen3:8b",
    repeats: 2,
    seeds: [1, 2],
    settings: { "conclave.maxSteps": 6 },
    runs: [
      evalRun(),
      evalRun({ case: "s1-plain", toolCalls: { expected: 0, made: 0, wrong: 0, missing: 0 } }),
      evalRun({
        case: "s5-recall",
        outcome: "failed",
        repeat: 2,
        checks: [
          { name: "answer contains", passed: true, reason: "“coffee” is there" },
          {
            name: "answer contains",
            passed: false,
            reason: "“black” is wanted, “with milk” was said",
            turn: 2,
          },
        ],
        traces: ["traces/s5.jsonl"],
      }),
      evalRun({ case: "s9-tool-fails", outcome: "error", error: "The server gave no answer.", traces: [] }),
      evalRun({ case: "s5-recall", configuration: "without memory", outcome: "failed" }),
    ],
    configurations: [configuration("default", 26, 28, false), configuration("without memory", 20, 28, true)],
    comparisons: [
      {
        ...{ feature: "memory", with: "default", without: "without memory", both: 10, neither: 1 },
        ...{ onlyWith: ["s5-recall", "s12-relationship"], onlyWithout: [] },
        success: difference(0.21, "raises"),
        tokens: difference(310, "raises"),
        seconds: difference(0.4, "no difference shown"),
        verdict: "Memory helps on these cases: 6 more of 28 runs passed with it.",
      },
      {
        ...{ feature: "committee", with: "committee", without: "default", both: 11, neither: 2 },
        ...{ onlyWith: [], onlyWithout: ["s2-follow-up"] },
        success: difference(-0.04, "no difference shown"),
        tokens: difference(9_200, "raises"),
        seconds: difference(12.5, "raises"),
        verdict: "The committee does not help on your cases, and costs 9,200 more tokens a run.",
      },
    ],
    committee: {
      rows: ["blind", "single", "self-consistency"].map((name, at) => ({
        ...{ name, turns: 14, right: 11 - at, success: { estimate: 0.8 - at / 20, low: 0.6, high: 0.9 } },
        ...{ inputTokens: 9_400, outputTokens: 760, seconds: 16.5 },
      })),
      flips: { toRight: 3, toWrong: 1, changed: 4, of: 42 },
      conformity: { yielded: 2, of: 9, share: { estimate: 0.22, low: 0.05, high: 0.5 } },
      synthesis: { better: 2, worse: 1, same: 11 },
      verdict: "At equal tokens no difference to a single agent was shown.",
    },
    judge: {
      ...{ model: "judge:8b", kind: "constrained", rubric: "helpfulness", set: "labelled.yaml", items: 40 },
      kappa: { estimate: 0.61, low: 0.44, high: 0.77 },
      flips: { estimate: 0.1, low: 0.03, high: 0.25, flips: 3, of: 30 },
      noGrade: { estimate: 0.025, low: 0, high: 0.1, none: 1, of: 40 },
      distribution: [1, 2, 3, 4, 5].map((score) => ({ score, given: score * 2, labelled: 8 })),
      ...{ seconds: 96, inputTokens: 40_000, outputTokens: 4_000 },
      verdict: "It agrees with the labels in substance; grades of 1 are rare.",
    },
    notes: ["2 files were passed over: they are no cases."],
    ...change,
  };
}

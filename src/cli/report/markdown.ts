import type { EvalComparison, EvalConfiguration, EvalReport, EvalRun } from "../../trace/eval/report.ts";
import { duration, figure, percent, shareWords } from "../eval/words.ts";
import { committeeSection, judgeSection } from "./sections.ts";
import { code, inline, table } from "./table.ts";

/** Runs that failed and are told in full; the JSON holds all. */
const MAX_FAILURES = 100;

/** A report as Markdown: what ran, how it came out and how sure that is, what failed and why, what each feature is worth. */
export function reportAsMarkdown(report: EvalReport): string {
  const parts = [
    `# Evaluation: ${headline(report)}`,
    whatRan(report),
    notes(report),
    ...(isOfJudgeAlone(report) ? [] : [results(report), failures(report), features(report)]),
    committeeSection(report.committee),
    judgeSection(report.judge),
    ...(isOfJudgeAlone(report) ? [] : [cases(report), method(report)]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** No case was to be run. */
function isOfJudgeAlone({ runs, configurations, judge }: EvalReport): boolean {
  return judge !== undefined && runs.length === 0 && configurations.length === 0;
}

/** How it came out, in one line. */
export function headline(report: EvalReport): string {
  const { configurations, outcome, judge } = report;
  if (judge !== undefined && isOfJudgeAlone(report)) return `a judge on ${judge.items} labelled items`;
  const meant = configurations.filter(({ comparison }) => !comparison);
  const passed = meant.reduce((total, one) => total + one.passed, 0);
  const runs = meant.reduce((total, one) => total + one.runs, 0);
  return `${passed} of ${runs} runs passed${outcome === "cancelled" ? ", cancelled before the end" : ""}`;
}

function whatRan(report: EvalReport): string {
  const { server, model, seeds, repeats, runs, settings } = report;
  const cases = new Set(runs.map((run) => run.case)).size;
  const rows = [
    ["Begun", new Date(report.startedAt).toISOString()],
    ["Took", duration(report.durationMs)],
    ["Conclave", inline(report.version)],
    ["Answered by", server.kind === "scripted" ? "scripted replies, no model" : code(model)],
    ...(server.host === undefined ? [] : [["Server", code(server.host)]]),
    ...(server.version === undefined ? [] : [["Ollama", code(server.version)]]),
    ["Cases", String(cases)],
    ["Repeats, seeds", `${repeats} (${seeds.join(", ")})`],
    ["Runs", String(runs.length)],
    ["Settings beside the defaults", settingsWords(settings)],
  ];
  return `## What ran\n\n${table(["", ""], rows)}`;
}

function settingsWords(settings: EvalReport["settings"]): string {
  const words = Object.entries(settings).map(([name, value]) => code(`${name}: ${JSON.stringify(value)}`));
  return words.length === 0 ? "none" : words.join(", ");
}

function notes({ notes: all, server }: EvalReport): string {
  const scripted =
    server.kind === "scripted"
      ? [
          "The replies were scripted: this report says whether the product does its part, and nothing of any model.",
        ]
      : [];
  const lines = [...scripted, ...all];
  return lines.map((line) => `> ${inline(line)}`).join("\n>\n");
}

function results({ configurations }: EvalReport): string {
  const rows = configurations.map((one) => [
    `${code(one.name)}${one.comparison ? " (for comparison)" : ""}`,
    `${one.passed} / ${one.runs}`,
    shareWords(one.success),
    figure(one.stepsPerQuestion),
    callWords(one),
    `${figure(one.mean.inputTokens)} / ${figure(one.mean.outputTokens)}`,
    `${duration(one.mean.prefillMs)} / ${duration(one.mean.totalMs)}`,
    `${figure(one.mean.retries)} / ${figure(one.mean.repairs)}`,
    one.mean.grade === undefined ? "-" : figure(one.mean.grade),
  ]);
  const head = [
    "configuration",
    "passed",
    "success (95 % interval)",
    "steps a question",
    "tool calls expected / made / wrong",
    "tokens in / out",
    "prefill / total",
    "retries / repairs",
    "grade",
  ];
  return `## Results\n\n${table(head, rows)}\n\nTokens, times, retries and repairs are means of a run.`;
}

function callWords({ toolCalls: { expected, made, wrong }, callsRight }: EvalConfiguration): string {
  const right = callsRight === undefined ? "" : ` (${percent(callsRight)} of the expected were made)`;
  return `${expected} / ${made} / ${wrong}${right}`;
}

function failures({ runs, configurations }: EvalReport): string {
  const beside = new Set(configurations.filter(({ comparison }) => comparison).map(({ name }) => name));
  const failed = runs.filter(({ outcome }) => outcome === "failed" || outcome === "error");
  const meant = failed.filter(({ configuration }) => !beside.has(configuration));
  if (meant.length === 0) return "## Failures\n\nNone.";
  const left = meant.length - MAX_FAILURES;
  const more = left > 0 ? `\n\n${left} more are in the JSON report.` : "";
  return `## Failures\n\n${meant.slice(0, MAX_FAILURES).map(failure).join("\n\n")}${more}`;
}

function failure(run: EvalRun): string {
  const title = `### ${inline(run.case)}\n\n${code(run.file)}, ${code(run.configuration)}, repeat ${run.repeat}, seed ${run.seed}${traceWords(run)}`;
  const reasons = run.checks
    .filter(({ passed }) => !passed)
    .map(
      ({ name, reason, turn }) =>
        `- **${inline(name)}**${turn === undefined ? "" : ` (turn ${turn})`}: ${inline(reason)}`,
    );
  const error = run.error === undefined ? [] : [`- **could not be run**: ${inline(run.error)}`];
  return `${title}\n\n${[...error, ...reasons].join("\n")}`;
}

function traceWords({ traces }: EvalRun): string {
  return traces.length === 0 ? "" : `, ${traces.map((trace) => `[trace](<${trace}>)`).join(", ")}`;
}

function features({ comparisons, server }: EvalReport): string {
  if (comparisons.length === 0) return "";
  const head = [
    "feature",
    "with",
    "without",
    "cases",
    "better with",
    "better without",
    "success",
    "tokens",
    "seconds",
  ];
  const rows = comparisons.map((one) => [
    one.feature,
    code(one.with),
    code(one.without),
    String(one.success.pairs),
    String(one.onlyWith.length),
    String(one.onlyWithout.length),
    `${points(one.success.estimate)} (${points(one.success.low)} to ${points(one.success.high)}), p = ${one.success.p.toFixed(3)}`,
    differenceWords(one.tokens),
    differenceWords(one.seconds),
  ]);
  const verdicts = comparisons.map(({ verdict }) => `- ${inline(verdict)}`).join("\n");
  const scripted =
    server.kind === "scripted"
      ? "The scripts say what comes out with and without a feature: this shows that the product switches and measures it, not that a model gains by it.\n\n"
      : "";
  return `## What each feature is worth\n\n${scripted}${verdicts}\n\n${table(head, rows)}\n\nPaired differences, each case against itself, by whether the answer was right; how it came about does not count here.`;
}

function points(share: number): string {
  const value = Math.round(share * 100);
  return value > 0 ? `+${value}` : String(value);
}

function differenceWords({ estimate, low, high }: EvalComparison["tokens"]): string {
  return `${figure(estimate)} (${figure(low)} to ${figure(high)})`;
}

function cases({ runs }: EvalReport): string {
  const head = [
    "case",
    "configuration",
    "seed",
    "outcome",
    "steps",
    "tool calls",
    "tokens",
    "time",
    "answer",
  ];
  const rows = runs.map((run) => [
    inline(run.case),
    code(run.configuration),
    String(run.seed),
    run.outcome,
    String(run.steps),
    run.turns
      .flatMap(({ tools }) => tools)
      .map(code)
      .join(", ") || "-",
    String(run.inputTokens + run.outputTokens),
    duration(run.totalMs),
    inline(run.turns.at(-1)?.answer.slice(0, 120) ?? ""),
  ]);
  return `## All runs\n\n${table(head, rows)}`;
}

function method({ repeats }: EvalReport): string {
  const clustered =
    repeats > 1
      ? " Repeats of one case resemble each other, so the interval is taken at the effective number of trials, not at the number of runs."
      : "";
  return `## How it was measured

- Each run had an empty store of memory, a log and a web of its own, and the seed that stands beside it.
- A run passes when all its checks do; one that could not be run counts as failed. Success has Wilson's interval at 95 % confidence.${clustered}
- A tool call is wrong that the case does not expect, or whose name or arguments were none that the tools take.
- Differences are paired by case: Newcombe's interval for yes or no, resampled means for figures, and an exact test. Where fewer than six cases differ, nothing is concluded.
- Prefill is the time the server read prompts, as it tells it; total is from question to end. A grade is a judge's opinion, not correctness.`;
}

import type { EvalReport, EvalRun } from "../../trace/eval/report.ts";

/** A report as JUnit XML, as test runners and CI servers read it: a suite a configuration, a test case a run. */
export function reportAsJunit(report: EvalReport): string {
  const suites = report.configurations.map(({ name, comparison }) => {
    const runs = report.runs.filter(({ configuration }) => configuration === name);
    return { name, comparison, runs };
  });
  // What stands there for a comparison only fails nothing.
  const failed = (one: (typeof suites)[number], outcome: EvalRun["outcome"]): number =>
    one.comparison ? 0 : one.runs.filter((run) => run.outcome === outcome).length;
  const total = (count: (one: (typeof suites)[number]) => number): number =>
    suites.reduce((sum, one) => sum + count(one), 0);
  const counts = (of: (count: (one: (typeof suites)[number]) => number) => number): string =>
    [
      attribute(
        "tests",
        of(({ runs }) => runs.length),
      ),
      attribute(
        "failures",
        of((one) => failed(one, "failed")),
      ),
      attribute(
        "errors",
        of((one) => failed(one, "error")),
      ),
      attribute("skipped", of(skipped)),
    ].join("");
  const body = suites.map(
    (one) =>
      `  <testsuite${attribute("name", one.name)}${counts((count) => count(one))}${attribute("time", seconds(one.runs))}${attribute("timestamp", new Date(report.startedAt).toISOString().slice(0, 19))}>\n${one.runs.map((run) => testCase(run, one.comparison)).join("")}  </testsuite>\n`,
  );
  const all = counts(total);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attribute("name", "Conclave evaluation")}${all}${attribute("time", seconds(report.runs))}>\n${body.join("")}</testsuites>\n`;
}

function skipped({
  comparison,
  runs,
}: {
  readonly comparison: boolean;
  readonly runs: readonly EvalRun[];
}): number {
  return runs.filter(({ outcome }) => outcome === "cancelled" || (comparison && outcome !== "passed")).length;
}

function seconds(runs: readonly EvalRun[]): string {
  return (runs.reduce((sum, { totalMs }) => sum + totalMs, 0) / 1_000).toFixed(3);
}

function testCase(run: EvalRun, isComparison: boolean): string {
  const name = `${run.case} (seed ${run.seed})`;
  const head = `    <testcase${attribute("name", name)}${attribute("classname", `${run.file}.${run.configuration}`)}${attribute("time", seconds([run]))}`;
  const inner = resultOf(run, isComparison);
  return inner === "" ? `${head}/>\n` : `${head}>\n${inner}    </testcase>\n`;
}

function resultOf(run: EvalRun, isComparison: boolean): string {
  const reasons = run.checks
    .filter(({ passed }) => !passed)
    .map(({ name, reason, turn }) => `${name}${turn === undefined ? "" : ` (turn ${turn})`}: ${reason}`);
  const [first = ""] = reasons;
  if (run.outcome === "passed") return "";
  if (run.outcome === "cancelled") return `      <skipped${attribute("message", "cancelled")}/>\n`;
  if (isComparison)
    return `      <skipped${attribute("message", `for comparison only: ${run.error ?? first}`)}/>\n`;
  return run.outcome === "error"
    ? `      <error${attribute("message", run.error ?? "")}/>\n`
    : `      <failure${attribute("message", first)}>${escaped(reasons.join("\n"))}</failure>\n`;
}

function attribute(name: string, value: string | number): string {
  return ` ${name}="${escaped(String(value)).replace(/\s+/gu, " ")}"`;
}

/** Text for XML 1.0: its five signs written out, what it can't hold left out. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // XML has no way to write most control characters, nor the two that are no characters at all.
      .replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, "")
      .replace(/&/gu, "&amp;")
      .replace(/</gu, "&lt;")
      .replace(/>/gu, "&gt;")
      .replace(/"/gu, "&quot;")
      .replace(/'/gu, "&apos;")
  );
}

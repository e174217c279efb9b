import { cutAtGrapheme } from "../../agent/text.ts";
import { MAX_CHECKS, MAX_NAME, MAX_TEXT, MAX_TURNS, type EvalRun } from "../../trace/eval/report.ts";

/** Tool calls of one turn that are named. */
const MAX_TOOLS = 1_000;

/**
 * A run as a report may hold it. Models write answers, names of tools and errors of any length; a report with one that
 * is too long could not be read again.
 */
export function boundedRun(run: EvalRun): EvalRun {
  return {
    ...run,
    ...(run.error !== undefined && { error: text(run.error) }),
    checks: failedFirst(run.checks).map((one) => ({
      ...one,
      name: cut(one.name, MAX_NAME),
      reason: text(one.reason),
    })),
    turns: run.turns.slice(0, MAX_TURNS).map((turn) => ({
      ...turn,
      question: text(turn.question),
      answer: text(turn.answer),
      tools: turn.tools.slice(0, MAX_TOOLS).map((tool) => cut(tool, MAX_NAME)),
      ...(turn.error !== undefined && { error: text(turn.error) }),
    })),
  };
}

/** All checks; where there are too many, those that say why it failed. */
function failedFirst(checks: EvalRun["checks"]): EvalRun["checks"] {
  if (checks.length <= MAX_CHECKS) return checks;
  const [failed, passed] = [checks.filter((one) => !one.passed), checks.filter((one) => one.passed)];
  return [...failed, ...passed].slice(0, MAX_CHECKS);
}

function text(value: string): string {
  return cut(value, MAX_TEXT);
}

function cut(value: string, most: number): string {
  return value.length <= most ? value : `${cutAtGrapheme(value, most - 2)} …`;
}

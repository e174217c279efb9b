import type {
  ActivityRecord,
  CallFigures,
  CallRecord,
  DayCalls,
  DayGrades,
  GradeFigures,
  GradeRecord,
  MemoryFigures,
  MemoryRecord,
  ToolInfo,
  ToolLine,
  VerdictRecord,
} from "./records.ts";

/** Days that charts show, and that "the last days" means in the list of tools. */
export const SHOWN_DAYS = 30;
const WEEK_DAYS = 7;
/** Turns that the trend of grades shows. */
const SHOWN_TURNS = 60;
const DAY_MS = 24 * 3_600_000;
/** Names that nobody knows any more are listed up to so many; models make names up. */
const MAX_GONE = 50;

/** The first moments of the latest days, today's last; days as this machine has them. */
export function daysUntil(now: number, count: number): readonly number[] {
  const today = new Date(now);
  return Array.from({ length: count }, (_, index) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index)).getTime(),
  );
}

/** Which of the days a time falls on; -1 for one before the first. */
function dayIndex(days: readonly number[], time: number): number {
  const [first = Infinity] = days;
  // Days on which clocks change are an hour longer or shorter: it may be the one before.
  const most = Math.min(days.length - 1, Math.floor((time - first) / DAY_MS) + 1);
  for (let index = most; index >= 0; index -= 1) if ((days[index] ?? Infinity) <= time) return index;
  return -1;
}

/** A call that was cancelled by the user did not fail. */
export function isFailure({ outcome }: CallRecord): boolean {
  return outcome === "failed" || outcome === "interrupted";
}

/** The calls of a tool in figures. */
export function callFigures(calls: readonly CallRecord[], now: number): CallFigures {
  const starts = daysUntil(now, SHOWN_DAYS);
  const days: { calls: number; failures: number }[] = starts.map(() => ({ calls: 0, failures: 0 }));
  for (const call of calls) {
    const day = days[dayIndex(starts, call.time)];
    if (day === undefined) continue;
    day.calls += 1;
    if (isFailure(call)) day.failures += 1;
  }
  return {
    kind: "calls",
    calls: calls.length,
    failures: calls.filter(isFailure).length,
    medianMs: median(calls.flatMap(({ durationMs }) => durationMs ?? [])),
    days: starts.map((from, index): DayCalls => ({ from, ...(days[index] ?? { calls: 0, failures: 0 }) })),
  };
}

/** Grades and verdicts in figures. */
export function gradeFigures(records: readonly (GradeRecord | VerdictRecord)[], now: number): GradeFigures {
  // What respondent B was given stands beside the answers, and is none of their figures.
  const grades = records.filter(
    (record): record is GradeRecord => record.kind === "grade" && record.other !== true,
  );
  const verdicts = records.filter((record): record is VerdictRecord => record.kind === "verdict");
  const starts = daysUntil(now, SHOWN_DAYS);
  const scored = grades.flatMap(({ score, time }) =>
    score === null ? [] : [{ score, day: dayIndex(starts, time) }],
  );
  const without = grades.filter(({ score }) => score === null).map(({ time }) => dayIndex(starts, time));
  const turns = grades.filter(({ agent }) => agent === "").sort((one, other) => one.time - other.time);
  const from = SHOWN_DAYS - WEEK_DAYS;
  const within = (first: number, end: number) =>
    mean(scored.filter(({ day }) => day >= first && day < end).map(({ score }) => score));
  const countOf = (score: number) => scored.filter((one) => Math.round(one.score) === score).length;
  const won = (winner: "A" | "B" | null) => verdicts.filter((one) => one.winner === winner).length;
  return {
    kind: "grades",
    counts: [countOf(1), countOf(2), countOf(3), countOf(4), countOf(5)],
    ungraded: grades.length - scored.length,
    corrected: grades.filter(({ corrected }) => corrected !== undefined).length,
    mean: mean(scored.map(({ score }) => score)),
    lastWeek: within(from, SHOWN_DAYS),
    weekBefore: within(from - WEEK_DAYS, from),
    verdicts: { a: won("A"), b: won("B"), ties: won(null) },
    days: starts.map((start, index): DayGrades => {
      const scores = scored.filter(({ day }) => day === index).map(({ score }) => score);
      const ungraded = without.filter((day) => day === index).length;
      return { from: start, grades: scores.length, ungraded, mean: mean(scores) };
    }),
    latest: turns.slice(-SHOWN_TURNS).map(({ score }) => score),
  };
}

/** What memory gave and took in figures. */
export function memoryFigures(records: readonly MemoryRecord[]): MemoryFigures {
  const sum = (of: (record: MemoryRecord) => number | undefined) =>
    records.reduce((total, record) => total + (of(record) ?? 0), 0);
  return {
    kind: "memory",
    turns: records.length,
    recalled: sum(({ recalled }) => recalled),
    extracted: sum(({ extracted }) => extracted),
    updated: sum(({ updated }) => updated),
    rejected: sum(({ rejected }) => rejected),
  };
}

/** All tools there are in their order, and behind them those that were only called. */
export function toolLines(
  tools: readonly ToolInfo[],
  calls: readonly CallRecord[],
  now: number,
): readonly ToolLine[] {
  const [since = now] = daysUntil(now, SHOWN_DAYS);
  const named = toolNames(tools);
  const counts = new Map<string, { calls: number; failures: number; last: number }>();
  for (const call of calls) {
    const name = named(call.tool);
    const count = counts.get(name) ?? { calls: 0, failures: 0, last: 0 };
    counts.set(name, count);
    count.last = Math.max(count.last, call.time);
    if (call.time < since) continue;
    count.calls += 1;
    if (isFailure(call)) count.failures += 1;
  }
  const known = new Set(tools.map(({ name }) => name));
  const gone = [...counts.keys()]
    .filter((name) => !known.has(name))
    .sort()
    .slice(0, MAX_GONE);
  const countOf = (name: string) => counts.get(name) ?? { calls: 0, failures: 0 };
  return [
    ...tools.map(({ aliases: _aliases, ...tool }): ToolLine => ({ ...tool, ...countOf(tool.name) })),
    ...gone.map((name): ToolLine => ({ name, description: "", state: "gone", ...countOf(name) })),
  ];
}

/** Gives the name of the tool that a model meant: tools have other names that are taken too. */
export function toolNames(tools: readonly ToolInfo[]): (called: string) => string {
  const names = new Map(tools.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name] as const)));
  return (called) => names.get(called) ?? called;
}

/** Whether all words of a filter occur in what a record says. */
export function saysAll(record: ActivityRecord, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = textsOf(record).join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

function textsOf(record: ActivityRecord): readonly string[] {
  const { question } = record;
  switch (record.kind) {
    case "call":
      return [question, record.agent, record.arguments, record.outcome, record.said];
    case "grade":
      return [
        question,
        record.agent,
        record.feedback,
        record.judge,
        record.rubric ?? "",
        record.score === null ? `ungraded ${record.ungraded ?? ""}` : `${record.score}/5`,
        record.corrected?.by ?? "",
        record.corrected?.reason ?? "",
      ];
    case "verdict":
      return [
        ...[question, record.feedback, record.judge, record.rubric ?? "", record.winner ?? "tie"],
        ...[record.a, record.b].flatMap((who) => (who === undefined ? [] : [who.agent, who.model])),
      ];
    case "memory":
      return [question, record.by, record.said];
  }
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}

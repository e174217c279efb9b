import type { MemoryPort } from "../../agent/memory/port.ts";
import type { EpisodeRow } from "../../agent/memory/types.ts";
import type { EvalCheck } from "../../trace/eval/report.ts";
import { find, type Pattern } from "./case/pattern.ts";
import type { ExpectedEpisode } from "./case/schema.ts";
import type { EvalCase } from "./case/types.ts";
import { check } from "./checks.ts";
import type { Usage } from "./measure.ts";

/** Episodes that are looked at; a run leaves few. */
const MAX_EPISODES = 200;

/** Checks what a run took against what it may take. */
export function budgetChecks({ budgets }: EvalCase, usage: Usage): readonly EvalCheck[] {
  if (budgets === undefined) return [];
  const tokens = usage.inputTokens + usage.outputTokens;
  const seconds = usage.totalMs / 1_000;
  return [
    ...within("steps", budgets.steps, usage.steps),
    ...within("tokens", budgets.tokens, tokens),
    ...within("seconds", budgets.seconds, seconds),
  ];
}

function within(what: string, most: number | undefined, taken: number): readonly EvalCheck[] {
  if (most === undefined) return [];
  const shown = Number.isInteger(taken) ? taken : taken.toFixed(2);
  return [check(`budget of ${what}`, taken <= most, `may take ${most}, took ${shown}`)];
}

/** Checks that memory holds in the end what it must. */
export async function episodeChecks(
  { episodes: wanted = [] }: EvalCase,
  memory: MemoryPort,
  signal: AbortSignal,
): Promise<readonly EvalCheck[]> {
  if (wanted.length === 0) return [];
  const listed = await memory.list({ table: "episodes", offset: 0, limit: MAX_EPISODES }, signal);
  if (!listed.ok) return [check("episode in memory", false, listed.failure.message)];
  const { rows } = listed.value;
  return wanted.map((one) => {
    const alike = rows.filter((row) => isMeant(row, one));
    const fitting = alike.find((row) => hasNotes(row, one));
    const seen = alike.map(({ notes }) => JSON.stringify(notes)).join(", ");
    const reason =
      fitting !== undefined
        ? `"${fitting.question.slice(0, 100)}" is there`
        : alike.length === 0
          ? `none of ${rows.length} episodes is meant`
          : `it has ${seen}`;
    return check(`episode in memory (${JSON.stringify(shown(one))})`, fitting !== undefined, reason);
  });
}

function shown(one: ExpectedEpisode): unknown {
  const text = (patterns: readonly Pattern[] | undefined) => patterns?.map(({ source }) => source).join(", ");
  return { ...one, question: text(one.question), answer: text(one.answer) };
}

function isMeant(
  row: EpisodeRow,
  { question = [], answer = [], agent, respondent }: ExpectedEpisode,
): boolean {
  return (
    question.every((pattern) => find(pattern, row.question) === true) &&
    answer.every((pattern) => find(pattern, row.answer) === true) &&
    (agent === undefined || row.agent === agent) &&
    (respondent === undefined || row.respondent === respondent)
  );
}

function hasNotes({ notes }: EpisodeRow, { score, verdict, reward, feedback }: ExpectedEpisode): boolean {
  const graded = notes.score;
  const hasScore =
    score === undefined || (graded !== undefined && graded >= score.from && graded <= score.to);
  const hasVerdict =
    verdict === undefined || (verdict === "any" ? notes.verdict !== undefined : notes.verdict === verdict);
  return (
    hasScore &&
    hasVerdict &&
    hasReward(notes.reward, reward) &&
    (feedback === undefined || notes.feedback === feedback)
  );
}

function hasReward(value: number | undefined, wanted: ExpectedEpisode["reward"]): boolean {
  if (wanted === undefined) return true;
  if (value === undefined) return false;
  return wanted === "any" || (wanted === "positive" ? value > 0 : value < 0);
}

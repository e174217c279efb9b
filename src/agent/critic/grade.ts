import { success, type Result } from "../failure.ts";
import { cutAtGrapheme } from "../text.ts";
import { readGrade } from "./parse-grade.ts";
import { readJudge, type Bench, type JudgeReading } from "./read-judge.ts";
import type { GradeOutcome, GradeRequest } from "./types.ts";

/** Samples of one grade at most. */
const MAX_SAMPLES = 5;
/** Feedback that is kept, in UTF-16 units. */
const MAX_FEEDBACK = 4_000;

/** Grades an answer in some samples, of which the median counts. Fails where the judge could not be asked at all. */
export async function gradeAnswer(
  request: GradeRequest,
  bench: Bench,
  signal: AbortSignal,
): Promise<Result<GradeOutcome>> {
  if (request.answer.trim() === "") return success(outcomeOf([NO_ANSWER], bench));
  const { question, answer, sources, reference, rubric } = request;
  const whole = {
    question,
    answers: [answer],
    sources: sources.trim() === "" ? NO_SOURCES : sources,
    rubric,
    ...(reference !== undefined && reference.trim() !== "" && { reference }),
  };
  const samples = Math.min(MAX_SAMPLES, Math.max(1, Math.floor(bench.deps.samples)));
  const readings: JudgeReading<number>[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const read = await readJudge({ whole, prompt: "grade", read: readGrade, sample, samples }, bench, signal);
    if (read.ok) readings.push(read.value);
    else if (read.failure.code === "cancelled" || !readings.some(isRead)) return read;
    else readings.push({ kind: "unread", why: read.failure.message });
  }
  return success(outcomeOf(readings, bench));
}

const NO_SOURCES = "(Nothing was given.)";
const NO_ANSWER = { kind: "unread", why: "not graded (there is no answer)" } as const;

function outcomeOf(readings: readonly JudgeReading<number>[], { form, meter }: Bench): GradeOutcome {
  const read = readings.filter(isRead);
  const sorted = read.map(({ value }) => value).sort((one, other) => one - other);
  const score = sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
  const told = read.find(({ value }) => value === score);
  const unread = readings.find((reading) => reading.kind === "unread");
  return {
    judge: form.kind,
    score,
    feedback: tidyFeedback(told?.feedback ?? ""),
    scores: readings.map((reading) => (reading.kind === "read" ? reading.value : null)),
    spread: (sorted.at(-1) ?? 0) - (sorted[0] ?? 0),
    ...(score === null && unread && { ungraded: unread.why }),
    ...(score === null && unread?.raw !== undefined && { raw: unread.raw }),
    ...meter.cost(),
  };
}

function isRead<T>(reading: JudgeReading<T>): reading is Extract<JudgeReading<T>, { readonly kind: "read" }> {
  return reading.kind === "read";
}

/** Feedback without the heading that the form asks for, cut. */
export function tidyFeedback(text: string): string {
  const plain = text.trim().replace(/^[\s#*]*feedback\s*:[\s*]*/iu, "");
  const ending = /[\s*_`([{]+$/u.exec(plain.slice(-10))?.[0] ?? "";
  return cutAtGrapheme(plain.slice(0, plain.length - ending.length).trim(), MAX_FEEDBACK);
}

import type { Feedback, Grade } from "../../judgements.ts";
import { joined } from "./words.ts";

/** What was thought of an answer. */
interface Judged {
  readonly grade?: Grade;
  readonly feedback?: Feedback;
}

function scored(score: number | null): string {
  return score === null ? "not graded" : `${score} of 5`;
}

function gradeLine(grade: Grade): string {
  const { score, feedback, model, corrected, given } = grade;
  if (corrected === undefined) return joined(`Grade: ${scored(score)}`, model, feedback);
  const before = given === undefined ? "" : `the critic gave ${scored(given.score)}`;
  return joined(`Grade: ${scored(score)}, set by ${corrected.by}`, corrected.reason, before, feedback);
}

/** Grades and feedback in words, a line each. */
export function judgementLines({ grade, feedback }: Judged): readonly string[] {
  return [
    ...(grade === undefined ? [] : [gradeLine(grade)]),
    ...(feedback === undefined
      ? []
      : [joined(`Feedback: ${feedback.rating === "up" ? "thumbs up" : "thumbs down"}`, feedback.note)]),
  ];
}

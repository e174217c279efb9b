import type { Feedback, Grade, Judged, Pairwise, Reward, Sign } from "../../judgements.ts";
import { signed, SIGN_WORDS, ungradedWords, whyUngraded } from "../../judged-words.ts";
import { count, joined } from "./words.ts";

function scored(score: number | null, why?: string): string {
  return score === null ? ungradedWords(why) : `${score} of 5`;
}

function gradeLine(grade: Grade): string {
  const { score, feedback, model, corrected, given, rubric, spread, scores, sameFamily } = grade;
  const how = [
    model,
    rubric === undefined ? "" : `rubric ${rubric}`,
    scores === undefined ? "" : `samples ${scores.map((one) => one ?? "none").join(", ")}`,
    spread === undefined || spread === 0 ? "" : `spread ${count(spread)}`,
    sameFamily === undefined ? "" : `judge and writer are both ${sameFamily}`,
    feedback,
  ];
  if (corrected === undefined) return joined(`Grade: ${scored(score, whyUngraded(grade))}`, ...how);
  const before = given === undefined ? "" : `the critic gave ${scored(given.score, given.ungraded)}`;
  return joined(`Grade: ${scored(score)}, set by ${corrected.by}`, corrected.reason, before, ...how);
}

function feedbackLine({ rating, note }: Feedback): string {
  return joined(`Feedback: ${rating === "up" ? "thumbs up" : "thumbs down"}`, note);
}

function signLine({ sign, rating, evidence }: Sign): string {
  const means = rating === "up" ? "for it" : "against it";
  return joined(`Concluded, not said: the user ${SIGN_WORDS[sign]} (${means})`, evidence);
}

function rewardLine({ value, reason, agent, model }: Reward): string {
  return joined(`Worth to memory: ${signed(value)}`, reason, joined(agent, model));
}

/** A verdict between two answers in words. */
export function verdictLine({ winner, feedback, model, orderBound, error }: Omit<Pairwise, "time">): string {
  const tie = orderBound === true ? "a tie, since the judge went by the order" : "a tie";
  const said = winner ?? (error === undefined ? tie : "none");
  return joined(`Verdict of two: ${said}`, model, error?.message, feedback);
}

/** All that is said of an answer in words, a line each. */
export function judgementLines({ grade, feedback, signs = [], reward }: Judged): readonly string[] {
  return [
    ...(grade === undefined ? [] : [gradeLine(grade)]),
    ...(feedback === undefined ? [] : [feedbackLine(feedback)]),
    ...signs.map(signLine),
    ...(reward === undefined ? [] : [rewardLine(reward)]),
  ];
}

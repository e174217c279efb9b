import type { CritiqueResult, JudgedFor, PairwiseResult, RespondentInfo } from "../events-judged.ts";
import type { Failure } from "../failure.ts";
import type { Identity } from "../ids.ts";
import type { TurnPlace } from "./jobs.ts";
import type { Judged } from "./judging.ts";
import type { GivenAnswer } from "./material.ts";
import type { GradeOutcome, JudgeCost, PairOutcome } from "./types.ts";
import { usageData } from "../usage-data.ts";

/** Where an event stands, and whose answer it is about. */
interface About {
  readonly place: TurnPlace;
  readonly answer: Pick<GivenAnswer, "parentId" | "agent" | "respondent">;
  readonly askedBy: JudgedFor;
  readonly identity: Identity;
}

function base({ place, answer, identity }: About) {
  const { sessionId, turnId } = place;
  const { parentId, agent, respondent } = answer;
  return {
    ...{ id: identity.spanId(), parentId, time: identity.now(), sessionId, turnId },
    ...{ agent, respondent },
  };
}

function costOf(cost: JudgeCost) {
  return {
    "conclave.duration_ms": cost.durationMs,
    "conclave.attempts": cost.attempts,
    ...usageData(cost),
  };
}

function howOf<T>({ model, rubric, sameFamily }: Judged<T>, askedBy: JudgedFor) {
  return {
    "gen_ai.request.model": model,
    "conclave.rubric": rubric,
    "conclave.asked_by": askedBy,
    ...(sameFamily !== undefined && { "conclave.same_family": sameFamily }),
  };
}

/** Why an answer has no grade, as views show it. */
export function notGraded(problem: Failure): string {
  return `not graded: ${problem.message.replace(/\.$/, "")}`;
}

/** What the critic says of an answer. */
export function critiqueEvent(
  judged: Judged<GradeOutcome>,
  about: About,
  { hasReference }: { readonly hasReference: boolean },
): CritiqueResult {
  const { outcome } = judged;
  const how = howOf(judged, about.askedBy);
  const reference = hasReference ? { "conclave.reference": true as const } : {};
  if (!outcome.ok) {
    const { failure: error } = outcome;
    const why = { "conclave.ungraded": notGraded(error), ...(error.code !== "cancelled" && { error }) };
    const data = { score: null, feedback: "", ...how, ...why };
    return { type: "critique.result", ...base(about), data };
  }
  const { value } = outcome;
  const { score, feedback, scores, spread, ungraded, raw } = value;
  return {
    type: "critique.result",
    ...base(about),
    data: {
      ...{ score, feedback, ...how, ...reference, ...costOf(value) },
      "conclave.judge": value.judge,
      ...(scores.length > 1 && { "conclave.scores": scores, "conclave.spread": spread }),
      ...(ungraded !== undefined && { "conclave.ungraded": ungraded }),
      ...(raw !== undefined && { "conclave.raw": raw }),
    },
  };
}

/** The verdict between the answers of A and B. */
export function pairwiseEvent(
  judged: Judged<PairOutcome>,
  about: About,
  [a, b]: readonly [GivenAnswer, GivenAnswer | undefined],
): PairwiseResult {
  const { outcome } = judged;
  const episodes = [a.episodeId, b?.episodeId].filter((id) => id !== undefined);
  const who = {
    "conclave.a": infoOf(a),
    ...(b && { "conclave.b": infoOf(b) }),
    ...(episodes.length > 0 && { "conclave.episode_ids": episodes }),
  };
  const how = { ...howOf(judged, about.askedBy), ...who };
  if (!outcome.ok) {
    const data = { winner: null, feedback: "", ...how, error: outcome.failure };
    return { type: "pairwise.result", ...base(about), data };
  }
  const { value } = outcome;
  const { winner, feedback, orders, orderBound, raw } = value;
  return {
    type: "pairwise.result",
    ...base(about),
    data: {
      ...{ winner, feedback, ...how, ...costOf(value) },
      "conclave.judge": value.judge,
      "conclave.orders": orders,
      ...(orderBound && { "conclave.order_bound": true as const }),
      ...(raw !== undefined && { "conclave.raw": raw }),
    },
  };
}

function infoOf({ agent, model, temperature }: GivenAnswer): RespondentInfo {
  return { agent, model, ...(temperature !== undefined && { temperature }) };
}

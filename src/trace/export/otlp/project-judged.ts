import type { EventOf, TurnEventType } from "../../../agent/events.ts";
import { ATTRIBUTES as A, EVALUATIONS, SPAN_EVENTS } from "./names.ts";
import type { Project, Projections } from "./projection.ts";
import { textOf, whole } from "./values.ts";

/** A judgement: scores are strings, since doubles get lost on the way into some tools. */
function evaluated<Type extends TurnEventType>(
  name: string,
  read: (event: EventOf<Type>) => {
    readonly value?: number | null;
    readonly label: string;
    readonly explanation: string | undefined;
  },
): Project<Type> {
  return (trace, event) => {
    const { value, label, explanation } = read(event);
    trace.mark(event, SPAN_EVENTS.evaluation, {
      [A.evaluation]: name,
      [A.scoreValue]: textOf(value ?? undefined),
      [A.scoreLabel]: label,
      [A.explanation]: explanation,
      // What is worth something is whose answer it was.
      ...(event.type === "reward.event" && { [A.agent]: event.agent }),
      [A.type]: event.type,
      [A.data]: whole(event.data),
    });
  };
}

function graded(score: number | null): string {
  return score === null ? "ungraded" : `${score} of 5`;
}

/** What critics and people think of an answer, as evaluations on the span of what they judge. */
export const JUDGED = {
  "critique.result": evaluated(EVALUATIONS.grade, ({ data: { score, feedback } }) => ({
    value: score,
    label: graded(score),
    explanation: feedback,
  })),
  "critique.corrected": evaluated(EVALUATIONS.corrected, ({ data: { score, reason } }) => ({
    value: score,
    label: graded(score),
    explanation: reason,
  })),
  "pairwise.result": evaluated(EVALUATIONS.pairwise, ({ data: { winner, feedback } }) => ({
    label: winner ?? "tie",
    explanation: feedback,
  })),
  "shadow.answer": (trace, event) => {
    const { agent, type, data } = event;
    trace.mark(event, SPAN_EVENTS.shadow, { [A.agent]: agent, [A.type]: type, [A.data]: whole(data) });
  },
  "user.feedback": evaluated(EVALUATIONS.feedback, ({ data }) => ({
    label: data.rating,
    explanation: data.note ?? data["conclave.evidence"],
  })),
  "reward.event": evaluated(EVALUATIONS.reward, ({ data: { reward, reason } }) => ({
    value: reward,
    label: reward > 0 ? "good" : reward < 0 ? "poor" : "none",
    explanation: reason,
  })),
} satisfies Projections;

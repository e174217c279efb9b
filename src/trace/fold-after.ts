import type { EventOf, TurnEvent } from "../agent/events.ts";
import type { AgentCell } from "./cells.ts";
import type { Feedback, Grade } from "./judgements.ts";
import type { TurnModel } from "./model.ts";

/** Where a judgement lands: on the agent that it stands under, else on the turn. */
function judged(turn: TurnModel, { parentId }: TurnEvent): TurnModel | AgentCell {
  const cell = parentId === null ? undefined : turn.cells.get(parentId);
  if (cell?.kind !== "agent") return turn;
  cell.revision += 1;
  return cell;
}

/** Takes what the user thinks of an answer; the latest word counts. */
export function foldFeedback(turn: TurnModel, event: EventOf<"user.feedback">): void {
  const on = judged(turn, event);
  const { rating, note } = event.data;
  if (rating === "none") {
    delete on.feedback;
    return;
  }
  const feedback: Feedback = { rating, time: event.time, ...(note === undefined ? {} : { note }) };
  on.feedback = feedback;
}

/** Takes a critic's grade. A grade that a person has put right stays so. */
export function foldCritique(turn: TurnModel, event: EventOf<"critique.result">): void {
  const on = judged(turn, event);
  const { score, feedback } = event.data;
  const given = { score, feedback, model: event.data["gen_ai.request.model"], time: event.time };
  on.grade = on.grade?.corrected === undefined ? given : { ...on.grade, given };
}

/** Takes a grade that a person put in the place of a critic's. */
export function foldCorrected(turn: TurnModel, event: EventOf<"critique.corrected">): void {
  const on = judged(turn, event);
  const { score, reason, "conclave.by": by } = event.data;
  const before = on.grade?.corrected === undefined ? on.grade : on.grade.given;
  const grade: Grade = {
    score,
    feedback: before?.feedback ?? "",
    model: before?.model ?? "",
    ...(before?.time === undefined ? {} : { time: before.time }),
    corrected: { by, reason, time: event.time },
    ...(before === undefined ? {} : { given: before }),
  };
  on.grade = grade;
}

/** Takes a verdict between respondents; the latest one counts. */
export function foldPairwise(turn: TurnModel, event: EventOf<"pairwise.result">): void {
  const { winner, feedback } = event.data;
  turn.pairwise = { winner, feedback, model: event.data["gen_ai.request.model"], time: event.time };
}

/** Takes what a second respondent answered; the latest one counts. */
export function foldShadow(turn: TurnModel, event: EventOf<"shadow.answer">): void {
  const { data } = event;
  const temperature = data["gen_ai.request.temperature"];
  const askedBy = data["conclave.asked_by"];
  turn.shadow = {
    answer: data.answer,
    outcome: data.outcome,
    agent: event.agent,
    model: data["gen_ai.request.model"],
    time: event.time,
    durationMs: data["conclave.duration_ms"],
    ...(temperature !== undefined && { temperature }),
    ...(askedBy !== undefined && { askedBy }),
    ...(data.error && { error: data.error }),
  };
}

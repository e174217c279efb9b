import type { EventOf, TurnEvent } from "../agent/events.ts";
import { closeOpenCells } from "./fold-cells.ts";
import { isAnswering } from "./fold-model.ts";
import type { Feedback, Grade, Judged, Judging, Pairwise, Reward, Shadow, Sign } from "./judgements.ts";
import type { TurnModel } from "./model.ts";

/** Signs that are held of one answer: the newest. */
const MAX_SIGNS = 50;

/** Where a judgement lands: on the agent that it stands under, where that is not who answers; else on the turn. */
function judged(turn: TurnModel, { parentId }: TurnEvent): Judged {
  const cell = parentId === null ? undefined : turn.cells.get(parentId);
  if (cell?.kind !== "agent" || isAnswering(cell)) return turn;
  cell.revision += 1;
  return cell;
}

/** Takes what the user thinks of an answer: the latest word counts. What was only concluded stands apart from it. */
export function foldFeedback(turn: TurnModel, event: EventOf<"user.feedback">): void {
  const on = judged(turn, event);
  const { rating, note, "conclave.implicit": sign, "conclave.evidence": evidence } = event.data;
  if (sign !== undefined) {
    const said = rating === "none" ? [] : [{ sign, rating, time: event.time, ...given({ evidence }) }];
    setSigns(on, [...(on.signs ?? []).filter((known) => known.sign !== sign), ...said]);
    return;
  }
  if (rating === "none") {
    delete on.feedback;
    return;
  }
  const feedback: Feedback = { rating, time: event.time, ...given({ note }) };
  on.feedback = feedback;
}

function setSigns(on: Judged, signs: readonly Sign[]): void {
  if (signs.length === 0) delete on.signs;
  else on.signs = signs.slice(-MAX_SIGNS);
}

/** Takes what feedback is worth; the latest one counts. Once all of it was taken back there is none. */
export function foldReward(turn: TurnModel, event: EventOf<"reward.event">): void {
  const on = judged(turn, event);
  const { reward: value, reason, "conclave.sources": sources = [] } = event.data;
  if (value === 0 && sources.length === 0) {
    delete on.reward;
    return;
  }
  const reward: Reward = {
    ...{ value, reason, sources, agent: event.agent, time: event.time },
    ...given({ model: event.data["gen_ai.request.model"] }),
  };
  on.reward = reward;
}

type Judgement = EventOf<"critique.result"> | EventOf<"pairwise.result">;

function judgingOf({ id, data }: Judgement): Judging {
  return {
    eventId: id,
    ...given({
      judge: data["conclave.judge"],
      rubric: data["conclave.rubric"],
      askedBy: data["conclave.asked_by"],
      durationMs: data["conclave.duration_ms"],
      attempts: data["conclave.attempts"],
      inputTokens: data["gen_ai.usage.input_tokens"],
      outputTokens: data["gen_ai.usage.output_tokens"],
      sameFamily: data["conclave.same_family"],
      raw: data["conclave.raw"],
      error: data.error,
    }),
  };
}

/** Logs of other versions may lack it. */
function judgeOf(data: { readonly "gen_ai.request.model"?: string }): string {
  return data["gen_ai.request.model"] ?? "";
}

/** Takes a critic's grade. A grade that a person has put right stays so. */
export function foldCritique(turn: TurnModel, event: EventOf<"critique.result">): void {
  const on = judged(turn, event);
  const { data, time } = event;
  const critics: Omit<Grade, "corrected" | "given"> = {
    ...{ score: data.score, feedback: data.feedback, model: judgeOf(data), time },
    ...judgingOf(event),
    ...given({
      scores: data["conclave.scores"],
      spread: data["conclave.spread"],
      ungraded: data["conclave.ungraded"],
      reference: data["conclave.reference"],
    }),
  };
  on.grade = on.grade?.corrected === undefined ? critics : correctedGrade(on.grade, critics);
}

/** A person's grade, beside what the critic gave. */
function correctedGrade(
  { score, corrected }: Pick<Grade, "score" | "corrected">,
  critics: Omit<Grade, "corrected" | "given"> | undefined,
): Grade {
  return {
    ...(critics === undefined ? { feedback: "", model: "" } : wordsOf(critics)),
    score,
    ...given({ corrected }),
    ...(critics === undefined ? {} : { given: critics }),
  };
}

/** What of a critic's grade stays beside a person's. */
function wordsOf({ ungraded: _ungraded, ...rest }: Omit<Grade, "corrected" | "given">) {
  return rest;
}

/** Takes a grade that a person put in the place of a critic's. */
export function foldCorrected(turn: TurnModel, event: EventOf<"critique.corrected">): void {
  const on = judged(turn, event);
  const { score, reason, "conclave.by": by } = event.data;
  const before = on.grade?.corrected === undefined ? on.grade : on.grade.given;
  on.grade = correctedGrade({ score, corrected: { by, reason, time: event.time } }, before);
}

/** Takes a verdict between respondents; the latest one counts. */
export function foldPairwise(turn: TurnModel, event: EventOf<"pairwise.result">): void {
  const { data, time } = event;
  const pairwise: Pairwise = {
    ...{ winner: data.winner, feedback: data.feedback, model: judgeOf(data), time },
    ...judgingOf(event),
    ...given({
      orders: data["conclave.orders"],
      orderBound: data["conclave.order_bound"],
      a: data["conclave.a"],
      b: data["conclave.b"],
    }),
  };
  turn.pairwise = pairwise;
}

/** Takes what a second respondent answered; the latest one counts. Its work is over. */
export function foldShadow(turn: TurnModel, event: EventOf<"shadow.answer">): void {
  const { data, time } = event;
  const shadow: Shadow = {
    eventId: event.id,
    ...{ answer: data.answer, outcome: data.outcome, agent: event.agent, time },
    model: data["gen_ai.request.model"],
    durationMs: data["conclave.duration_ms"],
    ...given({
      temperature: data["gen_ai.request.temperature"],
      askedBy: data["conclave.asked_by"],
      inputTokens: data["gen_ai.usage.input_tokens"],
      outputTokens: data["gen_ai.usage.output_tokens"],
      error: data.error,
    }),
  };
  turn.shadow = shadow;
  if (turn.other !== undefined) endOther(turn.other, shadow);
}

/** The second answer was taken; the latest time counts. */
export function foldTaken(turn: TurnModel, { time }: EventOf<"shadow.taken">): void {
  turn.takenAt = Math.max(turn.takenAt ?? time, time);
}

/** Whether the second answer that a turn has now is the one that the user took. */
export function isTaken({ shadow, takenAt }: Pick<TurnModel, "shadow" | "takenAt">): boolean {
  return shadow !== undefined && takenAt !== undefined && takenAt >= shadow.time;
}

function endOther(other: TurnModel, { answer, outcome, time, durationMs, error }: Shadow): void {
  Object.assign(other, { answer, status: outcome, end: time, durationMs, ...given({ error }) });
  other.revision += 1;
  closeOpenCells(other, time, outcome === "cancelled" ? "cancelled" : "failed");
}

/** What there is of some values. */
function given<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  const there = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
}

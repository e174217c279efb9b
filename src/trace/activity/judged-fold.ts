import type { EventOf } from "../../agent/events.ts";
import type { RespondentInfo } from "../../agent/events-judged.ts";
import { isOther } from "../respondent.ts";
import { oneLine } from "../text.ts";
import type { GradeRecord, JudgingRecord, VerdictRecord } from "./records.ts";

const MAX_SAID = 200;
const MAX_NAME = 100;
/** What a judge says is read in the list too, not only under the turn. */
const MAX_FEEDBACK = 1_000;
const MAX_SAMPLES = 10;

type Judgement = EventOf<"critique.result"> | EventOf<"pairwise.result">;

/** What every record says of where it happened. */
type Base = Pick<GradeRecord, "id" | "sessionId" | "turnId" | "time" | "question"> &
  Partial<Pick<GradeRecord, "forgotten" | "private">>;

/** One record for each answer that was graded: the turn's, one agent's, respondent B's. */
export function gradeId(event: EventOf<"critique.result"> | EventOf<"critique.corrected">): string {
  const { turnId, parentId } = event;
  return `grade:${turnId}:${parentId ?? turnId}${isOther(event) ? ":B" : ""}`;
}

/** Logs of other versions may lack it. */
function judgeOf(data: { readonly "gen_ai.request.model"?: string }): string {
  return data["gen_ai.request.model"] ?? "";
}

function judgingOf({ data }: Judgement): JudgingRecord {
  const { "conclave.ungraded": why, "conclave.raw": raw } = { "conclave.ungraded": undefined, ...data };
  const said = data.error?.message ?? why;
  return {
    judge: oneLine(judgeOf(data), MAX_NAME),
    ...there("judgeKind", data["conclave.judge"]),
    ...there("rubric", shortName(data["conclave.rubric"])),
    ...there("askedBy", data["conclave.asked_by"]),
    ...there("durationMs", data["conclave.duration_ms"]),
    ...there("attempts", data["conclave.attempts"]),
    ...there("sameFamily", shortName(data["conclave.same_family"])),
    ...there("ungraded", said === undefined ? undefined : oneLine(said, MAX_SAID)),
    ...there("raw", raw === undefined ? undefined : oneLine(raw, MAX_SAID)),
  };
}

function there<Name extends string, Value>(name: Name, value: Value | undefined): { [key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]?: Value });
}

function shortName(name: string | undefined): string | undefined {
  return name === undefined ? undefined : oneLine(name, MAX_NAME);
}

/** A critic's grade; `before` is what is known of the same answer. A grade that a person has put right stays so. */
export function gradeRecord(
  event: EventOf<"critique.result">,
  base: Base,
  agent: string,
  before: GradeRecord | undefined,
): GradeRecord {
  const { score, feedback, "conclave.scores": scores, "conclave.spread": spread } = event.data;
  const grade: GradeRecord = {
    kind: "grade",
    ...base,
    agent,
    ...placeOf(event),
    score,
    feedback: oneLine(feedback, MAX_FEEDBACK),
    ...judgingOf(event),
    ...there("scores", scores?.slice(0, MAX_SAMPLES)),
    ...there("spread", spread),
  };
  if (before?.corrected === undefined) return grade;
  return { ...grade, score: before.score, corrected: { ...before.corrected, given: score } };
}

function placeOf(event: EventOf<"critique.result"> | EventOf<"critique.corrected">) {
  const { parentId, turnId } = event;
  return {
    ...(parentId === null || parentId === turnId ? {} : { agentId: parentId }),
    ...(isOther(event) && { other: true as const }),
  };
}

/** A grade that a person gave, in the place of what is known of the same answer. */
export function correctedRecord(
  event: EventOf<"critique.corrected">,
  base: Base,
  agent: string,
  before: GradeRecord | undefined,
): GradeRecord {
  const given = before?.corrected === undefined ? before?.score : before.corrected.given;
  const { score, reason, "conclave.by": by } = event.data;
  return {
    ...(before ?? { judge: "", feedback: "" }),
    kind: "grade",
    ...base,
    agent,
    ...placeOf(event),
    ...(before && { time: before.time }),
    score,
    corrected: {
      by: oneLine(by, MAX_NAME),
      reason: oneLine(reason, MAX_SAID),
      time: event.time,
      ...(given !== undefined && { given }),
    },
  };
}

/** A verdict between two answers. */
export function verdictRecord(event: EventOf<"pairwise.result">, base: Base): VerdictRecord {
  const { winner, feedback, ...data } = event.data;
  return {
    kind: "verdict",
    ...base,
    winner,
    feedback: oneLine(feedback, MAX_FEEDBACK),
    ...judgingOf(event),
    ...there("a", whoOf(data["conclave.a"])),
    ...there("b", whoOf(data["conclave.b"])),
    ...there("orderBound", data["conclave.order_bound"]),
    ...there(
      "orders",
      data["conclave.orders"]?.slice(0, 2).map(({ first, winner: better }) => ({ first, winner: better })),
    ),
  };
}

function whoOf(who: RespondentInfo | undefined): VerdictRecord["a"] {
  if (who === undefined) return undefined;
  return {
    agent: oneLine(who.agent, MAX_NAME),
    model: oneLine(who.model, MAX_NAME),
    ...there("temperature", who.temperature),
  };
}

import { isAhead } from "../../agent/critic/jobs.ts";
import type { RunningTurn } from "../../agent/engine-port.ts";
import type { TurnEvent, TurnEventType } from "../../agent/events.ts";
import { systemIdentity } from "../../agent/ids.ts";
import type { EvalCheck } from "../../trace/eval/report.ts";
import type { Result } from "../../agent/failure.ts";
import { check } from "./checks.ts";
import type { CaseTurn } from "./case/schema.ts";
import type { Stage } from "./stage.ts";

/** A turn that is over, and what is still to come of it. */
interface FollowUp {
  readonly turn: CaseTurn;
  readonly running: Pick<RunningTurn, "sessionId" | "turnId">;
  readonly outcome: "answered" | "failed" | "cancelled";
  readonly stage: Stage;
}

/**
 * Waits for what comes after an answer, and does what the user does then. The next turn must find what it would find
 * if the user had taken their time. Gives up where it takes too long: the check of what did not come says so. Gives a
 * failed check for what can't be done, such as grading a turn that has no answer; that is not waited for.
 */
export async function followUp(
  { turn, running, outcome, stage }: FollowUp,
  signal: AbortSignal,
): Promise<readonly EvalCheck[]> {
  const { turnId } = running;
  const { watch, deps, settings, services } = stage;
  const wait = (type: TurnEventType, fits: (event: TurnEvent) => boolean = () => true): Promise<boolean> =>
    watch.until(
      (event) => event.type === type && event.turnId === turnId && fits(event),
      deps.patienceMs,
      signal,
    );
  const isRemembered = outcome === "answered" && settings.memoryEnabled && turn.private !== true;
  if (isRemembered) {
    await wait("memory.ingested");
    // A model that reads turns does so when nobody needs it; the rules are at once done.
    if (settings.memoryExtraction === "rules" && wasStored(watch.of(turnId))) await wait("memory.learned");
  }
  const { feedback, note, grade, compare } = turn.then ?? {};
  if (feedback !== undefined) {
    services.engine.publish(feedbackEvent(running, settings.agent, feedback, note));
    await wait("reward.event");
  }
  const place = { sessionId: running.sessionId, turnId };
  const graded = grade === true ? await services.critic.grade(place) : undefined;
  const compared = compare === true ? await services.critic.compare(place) : undefined;
  // Where the judge is too small to be asked without a wish, nothing comes by itself.
  const isAheadOf = (kind: "grade" | "compare"): boolean => isAhead(services.critic.view(), kind, turnId);
  if (graded?.ok ?? isAheadOf("grade")) await wait("critique.result", isOfA);
  if (compared?.ok ?? isAheadOf("compare")) await wait("pairwise.result");
  await services.settled();
  return [...refused("graded", graded), ...refused("compared", compared)];
}

function refused(name: string, asked: Result<void> | undefined): readonly EvalCheck[] {
  return asked?.ok === false ? [check(name, false, asked.failure.message)] : [];
}

function isOfA({ respondent }: TurnEvent): boolean {
  return respondent !== "B";
}

/** Nothing is learnt from a turn that memory did not take. */
function wasStored(events: readonly TurnEvent[]): boolean {
  return events.some(
    (event) => event.type === "memory.ingested" && event.data["conclave.episode_ids"].length > 0,
  );
}

function feedbackEvent(
  { sessionId, turnId }: FollowUp["running"],
  agent: string,
  rating: "up" | "down",
  note: string | undefined,
): TurnEvent {
  return {
    type: "user.feedback",
    id: systemIdentity.spanId(),
    parentId: turnId,
    time: systemIdentity.now(),
    ...{ sessionId, turnId, agent, respondent: "A" },
    data: { rating, "conclave.door": "cli", ...(note !== undefined && { note }) },
  };
}

import type { RunningTurn } from "../../agent/engine-port.ts";
import type { TurnEvent, TurnEventType } from "../../agent/events.ts";
import { systemIdentity } from "../../agent/ids.ts";
import type { CaseTurn } from "./case/schema.ts";
import type { Stage } from "./dialogue.ts";

/** A turn that is over, and what is still to come of it. */
interface FollowUp {
  readonly turn: CaseTurn;
  readonly running: Pick<RunningTurn, "sessionId" | "turnId">;
  readonly outcome: "answered" | "failed" | "cancelled";
  readonly stage: Stage;
}

/**
 * Waits for what comes after an answer, and does what the user does then. The next turn must find what it would find
 * if the user had taken their time. Gives up where it takes too long: the check of what did not come says so.
 */
export async function followUp(
  { turn, running, outcome, stage }: FollowUp,
  signal: AbortSignal,
): Promise<void> {
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
  if (grade === true) await services.critic.grade(place);
  if (compare === true) await services.critic.compare(place);
  const { expect } = turn;
  const isGraded = stage.critic.mode === "all" && outcome === "answered";
  if (grade === true || isGraded || expect?.grade !== undefined) await wait("critique.result", isOfA);
  if (compare === true || expect?.pairwise !== undefined) await wait("pairwise.result");
  await services.settled();
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

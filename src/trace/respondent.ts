import { SHADOW_RESPONDENT } from "../agent/event-base.ts";
import type { EventBase, TurnEvent, TurnEventType } from "../agent/events.ts";

/** Who gives the second answer to a question. */
export const OTHER = SHADOW_RESPONDENT;

/** What is said of both answers, or of the turn as a whole, whoever it names. */
const OF_TURN: ReadonlySet<TurnEventType> = new Set<TurnEventType>([
  ...(["turn.start", "query.received", "answer.dialog", "turn.end"] as const),
  ...(["pairwise.result", "shadow.answer", "shadow.taken"] as const),
]);

/** Whether it is respondent B's: its work, or what is said of its answer. */
export function isOther({ respondent }: Pick<EventBase, "respondent">): boolean {
  return respondent === OTHER;
}

/** Whether an event is respondent B's alone: none of the turn's own figures come from it. */
export function isOthersOwn({ respondent, type }: Pick<TurnEvent, "respondent" | "type">): boolean {
  return respondent === OTHER && !OF_TURN.has(type);
}

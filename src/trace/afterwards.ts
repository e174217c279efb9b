import type { TurnEventType } from "../agent/events.ts";

const AFTERWARDS: ReadonlySet<string> = new Set<TurnEventType>([
  "memory.ingested",
  "memory.learned",
  "user.feedback",
  "reward.event",
  "critique.result",
  "critique.corrected",
  "pairwise.result",
  "shadow.answer",
  "shadow.taken",
  "context.restored",
]);

/** Whether events of this type are told of a turn after its end: its own stream does not hold them. */
export function isAfterwards(type: string): boolean {
  return AFTERWARDS.has(type);
}

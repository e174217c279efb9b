import type { EventBase, TurnEvent } from "../events.ts";
import type { Identity } from "../ids.ts";

/**
 * Events of another turn as this one tells them again: under new ids, now, each naming what it repeats. `ids` holds the
 * new ids of what they stand under, and takes up theirs.
 */
export function repeated(
  events: readonly TurnEvent[],
  ids: Map<string, string>,
  { sessionId, turnId }: Pick<EventBase, "sessionId" | "turnId">,
  identity: Identity,
): readonly TurnEvent[] {
  const newId = (id: string): string => {
    const known = ids.get(id) ?? identity.spanId();
    ids.set(id, known);
    return known;
  };
  return events.map((event) => {
    const { parentId, stepId, id } = event;
    const place = {
      id: newId(id),
      parentId: parentId === null ? null : newId(parentId),
      ...(stepId !== undefined && { stepId: newId(stepId) }),
    };
    return { ...event, ...place, time: identity.now(), sessionId, turnId, replays: id };
  });
}

import type { ForkPart, TurnFork } from "../events-fork.ts";

/** The text of an edit; of the one for an event where `eventId` is given. */
export function editFor({ edits }: TurnFork, part: ForkPart, eventId?: string): string | undefined {
  return edits.find((edit) => edit.part === part && (eventId === undefined || edit.eventId === eventId))
    ?.text;
}

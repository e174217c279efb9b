import type { TurnEvent } from "../../agent/events.ts";
import type { ChatMessage } from "../../agent/models/types.ts";
import { historyOf } from "../../trace/notebook/history.ts";

/** As many turns as a conversation goes on from elsewhere; the nearest ones. */
const MAX_TURNS = 50;

/** What stands above a cell. */
export interface Above {
  /** Messages of the answered cells, from the first to the nearest. */
  readonly history: readonly ChatMessage[];
  /** The turn of the nearest one; null when none was answered. */
  readonly parentTurnId: string | null;
}

/**
 * What the cells above one hand on to it; those without an answer hand on nothing.
 *
 * @param turns of the cells above, from the first to the nearest
 * @param eventsOf the events of a turn
 */
export function above(turns: readonly string[], eventsOf: (turnId: string) => readonly TurnEvent[]): Above {
  const messages: (readonly ChatMessage[])[] = [];
  let parentTurnId: string | null = null;
  for (const turnId of turns.toReversed()) {
    if (messages.length === MAX_TURNS) break;
    const said = historyOf(eventsOf(turnId));
    if (said.length === 0) continue;
    parentTurnId ??= turnId;
    messages.unshift(said);
  }
  return { history: messages.flat(), parentTurnId };
}

import type { TurnEvent } from "../agent/events.ts";
import type { JsonObject } from "../agent/models/types.ts";
import type { Burial } from "./burial.ts";

/** Burials that a window remembers. */
const MAX_BURIALS = 20;

/** The latest burials of a window: turns that still run may yet say again what was forgotten. */
export class RecentBurials {
  #burials: readonly Burial[] = [];

  /** Remembers a burial; the oldest one goes for it. */
  add(burial: Burial): void {
    this.#burials = [...this.#burials, burial].slice(-MAX_BURIALS);
  }

  /** An event without what was forgotten. */
  clean(event: TurnEvent): TurnEvent {
    if (this.#burials.length === 0) return event;
    const { sessionId } = event;
    const concerning = this.#burials.filter(({ sessionIds }) => sessionIds.has(sessionId.toLowerCase()));
    const buried = concerning.reduce<JsonObject>(
      (left, burial) => burial.bury(left, sessionId),
      event as unknown as JsonObject,
    );
    return buried as unknown as TurnEvent;
  }
}

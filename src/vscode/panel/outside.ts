import type { TurnEvent } from "../../agent/events.ts";
import type { LogChange } from "../../trace/log-watch.ts";

/** For so long after an event of this window a change of its session's log counts as its own, in milliseconds. */
const OWN_MS = 3_000;
/** Sessions of this window that are held in mind. */
const MAX_OWN = 200;

/** Tells what other windows did to the logs from what this one did. */
export class Outside {
  private readonly own = new Map<string, number>();
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Takes an event of this window. */
  hear({ type, sessionId }: TurnEvent): void {
    if (type === "model.delta") return;
    this.own.delete(sessionId);
    this.own.set(sessionId, this.now());
    if (this.own.size > MAX_OWN) this.own.delete(this.own.keys().next().value ?? "");
  }

  /** Of a change, what another window did. */
  of({ sessionIds, replaced }: LogChange): LogChange {
    const others = sessionIds.filter((sessionId) => {
      // What this window writes it puts behind what is there.
      if (replaced.has(sessionId)) return true;
      const at = this.own.get(sessionId);
      return at === undefined || this.now() - at > OWN_MS;
    });
    return { sessionIds: others, replaced: new Set(others.filter((sessionId) => replaced.has(sessionId))) };
  }
}

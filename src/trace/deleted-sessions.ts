import type { TurnEvent } from "../agent/events.ts";
import { isAfterwards } from "./afterwards.ts";
import { isOther } from "./respondent.ts";

/** Deleted sessions that a window remembers. */
const MAX_REMEMBERED = 10_000;

/** The sessions that this window deleted: what is still said of their turns would bring back an empty shell of them. */
export class DeletedSessions {
  private readonly ids = new Set<string>();
  private readonly listeners = new Set<(sessionId: string) => void>();

  /** Marks a session as deleted. */
  add(sessionId: string): void {
    this.ids.add(sessionId.toLowerCase());
    if (this.ids.size > MAX_REMEMBERED) this.ids.delete(this.ids.values().next().value ?? "");
  }

  /** It could not be deleted after all. */
  undo(sessionId: string): void {
    this.ids.delete(sessionId.toLowerCase());
  }

  /** Whether a session was deleted and has not begun anew. */
  has(sessionId: string): boolean {
    return this.ids.has(sessionId.toLowerCase());
  }

  /** Whether an event comes too late: its session is gone. A new turn begins the session anew. */
  isOver(event: TurnEvent): boolean {
    const { type, sessionId } = event;
    if (!this.has(sessionId)) return false;
    // Respondent B works on a turn that has ended.
    if (isAfterwards(type) || isOther(event)) return true;
    this.ids.delete(sessionId.toLowerCase());
    return false;
  }

  /** Says that a session's files are gone. */
  tell(sessionId: string): void {
    for (const listener of [...this.listeners]) listener(sessionId);
  }

  /** Calls back when a session's files are gone; gives the way to stop. */
  listen(listener: (sessionId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

import type { Result } from "./failure.ts";
import type { ChatMessage } from "./models/types.ts";

/** What a turn follows when that can't be known: its record is damaged, or earlier turns could not be read then. */
export const UNKNOWN_PARENT = "unknown";

/** A finished turn as its conversation goes on from it. */
export interface PastTurn {
  readonly turnId: string;
  /** The turn it followed, null for the first, or `UNKNOWN_PARENT`. */
  readonly parentTurnId: string | null;
  /** User, assistant and tool messages in order; thinking left out. */
  readonly messages: readonly ChatMessage[];
}

/** Where finished turns of a session are read from when they are not in memory: the log on disk. */
export interface HistoryPort {
  /** The turns of a session, oldest first; an unknown session has none. */
  turns(sessionId: string): Promise<Result<readonly PastTurn[]>>;
  /** Changes when something of a session was forgotten: what was read or kept of it before counts no more. */
  version?(sessionId: string): Promise<string>;
}

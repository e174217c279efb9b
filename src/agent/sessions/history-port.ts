import type { Result } from "../failure.ts";
import type { ChatMessage } from "../models/types.ts";

/** What a turn follows when that can't be known: its record is damaged, or earlier turns could not be read then. */
export const UNKNOWN_PARENT = "unknown";

/** A finished turn as its conversation goes on from it. */
export interface PastTurn {
  readonly turnId: string;
  /** The turn it followed, null for the first, or `UNKNOWN_PARENT`. */
  readonly parentTurnId: string | null;
  /** User, assistant and tool messages in order; thinking left out. */
  readonly messages: readonly ChatMessage[];
  /** The summaries that were made in it of turns before it, oldest first. */
  readonly summaries?: readonly PastSummary[];
}

/** A summary that took the place of earlier turns (`context.compacted` with a `summary`). */
export interface PastSummary {
  /** The id of its event. */
  readonly id: string;
  readonly text: string;
  /** Ids of the turns it replaced. */
  readonly turns: readonly string[];
  /** It holds for contexts of this length. */
  readonly contextLength: number;
  /** The user took it back (`context.restored`): the turns are sent as they are again. */
  readonly restored: boolean;
}

/** Where finished turns of a session are read from when they are not in memory: the log on disk. */
export interface HistoryPort {
  /** The turns of a session, oldest first; an unknown session has none. */
  turns(sessionId: string): Promise<Result<readonly PastTurn[]>>;
  /** Changes when something of a session was forgotten: what was read or kept of it before counts no more. */
  version?(sessionId: string): Promise<string>;
  /** What `version` says of a session that just began; left out: it is asked. */
  readonly firstVersion?: string;
}

import type { Failure } from "../failure.ts";
import type { PastTurn } from "./history-port.ts";

/** A summary in the place of earlier turns. */
export interface SessionSummary {
  /** The id of its event, `context.compacted`. */
  readonly id: string;
  /** As the model is sent it. */
  readonly text: string;
  /** Ids of the turns it stands for. */
  readonly turns: readonly string[];
}

/** How the past was shortened so that it fits. It holds as long as the context is of the same length. */
export interface HistoryCut {
  /** The oldest turn that is still sent as it was; the one after the cut when none is. */
  readonly from: string;
  readonly contextLength: number;
  /** Up to this turn, results of tools are trimmed. */
  readonly trimmedTo?: string;
  /** What stands before `from`. */
  readonly summary?: SessionSummary;
  /** Turns whose summary the user took back: they are not summed up again. */
  readonly restored?: readonly string[];
}

/** The conversation of a session. */
export interface Conversation {
  /** Each turn follows the one before it, oldest first; the newest 50 at most. */
  readonly turns: readonly PastTurn[];
  /** How it was cut for contexts of some lengths, the one used last at the end. */
  readonly cuts?: readonly HistoryCut[];
  /** Which state of the session it was read from, where the history tells. */
  readonly version?: string;
  /** Why earlier turns could not be read back. */
  readonly problem?: Failure;
}

import type { CommitteeSettings } from "./committee/settings.ts";
import type { Door, Outcome, Reference, TurnEvent } from "./events.ts";
import type { TurnFork } from "./events-fork.ts";
import type { Failure } from "./failure.ts";
import type { ChatMessage, Think } from "./models/types.ts";
import type { ChainedResult, StructuredOutput } from "./structured/output-types.ts";

/** What one turn may override; what is left out comes from the settings. */
export interface AskOptions {
  readonly model?: string;
  readonly think?: Think;
  readonly temperature?: number;
  readonly seed?: number;
  /** Names of the tools to offer; left out: all that are registered and on. */
  readonly tools?: readonly string[];
  /** Name of the agent that answers; left out: that of the settings. */
  readonly agent?: string;
  /** A committee answers; what is left out comes from the settings. */
  readonly committee?: Partial<CommitteeSettings>;
}

/** A turn to branch off an earlier one. */
export interface ForkRequest extends TurnFork {
  /** All events of the earlier turn, in order. */
  readonly events: readonly TurnEvent[];
  /** Something of the conversation before it was forgotten since: it is put together anew from what is left. */
  readonly newPast?: true;
}

/** A question on its way to an agent. */
export interface AskRequest {
  readonly question: string;
  readonly door: Door;
  /** Left out: a new session begins. */
  readonly sessionId?: string;
  readonly references?: readonly Reference[];
  /** Turns that the caller knows of and the log lacks (a chat's own history), oldest first. */
  readonly history?: readonly ChatMessage[];
  readonly options?: AskOptions;
  /** It branches off an earlier turn of its session, and goes on from what that one followed. */
  readonly fork?: ForkRequest;
  /**
   * The turn that it follows, where the user looks at another branch than the newest; left out: the newest one; null:
   * none of the session, so that `history` is all that went before.
   */
  readonly parentTurnId?: string | null;
  /** Nothing of the turn is remembered; its events say so, so that its log stays in the window. */
  readonly private?: boolean;
  /** Nobody waits for it: all others go first, and it is not remembered, though its log is kept. */
  readonly background?: boolean;
}

/** How a turn ended. */
export interface TurnOutcome {
  readonly outcome: Outcome;
  readonly answer: string;
  readonly error?: Failure;
  /** The object that a structured agent gave; `answer` shows it. */
  readonly output?: StructuredOutput;
  /** What the tool gave that was called with it. */
  readonly chained?: ChainedResult;
}

/** A running turn. */
export interface RunningTurn {
  readonly sessionId: string;
  readonly turnId: string;
  /** All events of the turn from its first, in order; ends after `turn.end`. May be read more than once. */
  readonly events: AsyncIterable<TurnEvent>;
  /** Settles with the end of the turn; never rejects. */
  readonly done: Promise<TurnOutcome>;
  cancel(): void;
}

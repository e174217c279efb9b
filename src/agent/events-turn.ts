import type { Event, Outcome, UsageData } from "./event-base.ts";
import type { TurnFork } from "./events-fork.ts";
import type { Failure } from "./failure.ts";
import type { ChatMessage } from "./models/types.ts";
import type { Source } from "./tool.ts";

/* A turn as a whole: the way it came in, what was asked, and what it came to. */

/** Which way a turn came in. */
export type Door = "chat" | "command" | "panel" | "cli" | "notebook" | "test";

/** A file or selection the user put beside the question. */
export interface Reference {
  /** What to call it: a path relative to the workspace, with lines for a selection. */
  readonly label: string;
  readonly uri: string;
  readonly text: string;
}

/**
 * A turn begins: `parent_turn_id` is the turn it follows in its conversation, null for the first, `unknown` when the
 * earlier turns could not be read.
 */
export type TurnStart = Event<
  "turn.start",
  {
    readonly "gen_ai.conversation.id": string;
    readonly "conclave.parent_turn_id": string | null;
    readonly "conclave.door": Door;
    /** Nothing of it is remembered, and its log stays in the window. */
    readonly "conclave.private"?: true;
    /** Nobody asked for it, and nothing of it is remembered. */
    readonly "conclave.background"?: true;
    /** It was taken from a file of somebody else: which, and when (milliseconds since the epoch). */
    readonly "conclave.imported"?: { readonly from: string; readonly at: number };
    /** It branches off an earlier turn, which stays as it is. */
    readonly "conclave.fork"?: TurnFork;
  }
>;

/** What was asked, as the user put it. */
export type QueryReceived = Event<
  "query.received",
  { readonly query: string; readonly references?: readonly Reference[] }
>;

/** Question and answer of the turn, as the conversation goes on with them. */
export type AnswerDialog = Event<
  "answer.dialog",
  { readonly query: string; readonly answer: string; readonly "conclave.sources"?: readonly Source[] }
>;

/** A turn ended. `messages` is what it adds to the conversation: later turns start from these. */
export type TurnEnd = Event<
  "turn.end",
  UsageData & {
    readonly outcome: Outcome;
    readonly "conclave.duration_ms": number;
    readonly "conclave.steps": number;
    readonly "conclave.messages": readonly ChatMessage[];
    readonly error?: Failure;
  }
>;

import type { Result } from "../../agent/failure.ts";

/** Something that the user is to be told of at a time. */
export interface NewReminder {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sessionId: string;
  readonly turnId: string;
}

/** Keeps reminders until they are due, and shows them then. Must not throw. */
export interface RemindersPort {
  add(reminder: NewReminder): Promise<Result<{ readonly id: string }>>;
}

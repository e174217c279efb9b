import { dueText } from "../../../tools/remind-me.ts";

const MINUTE_MS = 60_000;

/** For how long a reminder may be put off: what it is called, and the time it is shown then. */
export interface SnoozeChoice {
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What Snooze offers. */
export function snoozeChoices(now: number): readonly SnoozeChoice[] {
  const tomorrow = new Date(now);
  tomorrow.setDate(tomorrow.getDate() + 1);
  tomorrow.setHours(9, 0, 0, 0);
  return [
    { label: "10 minutes", at: now + 10 * MINUTE_MS },
    { label: "1 hour", at: now + 60 * MINUTE_MS },
    { label: "Tomorrow at 9:00", at: tomorrow.getTime() },
  ];
}

/**
 * What a notification says; one that comes late says when it was due. The words are a model's: they make no link, which
 * could run a command.
 */
export function reminderText(words: string, at: number, now: number): string {
  const text = words.replaceAll("](", "] (");
  return now - at > 5 * MINUTE_MS ? `Reminder (due ${dueText(at)}): ${text}` : `Reminder: ${text}`;
}

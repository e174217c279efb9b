import { z } from "zod";
import { failure } from "../agent/failure.ts";
import { memoryLineText } from "../agent/memory/text.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { failedOutcome, timedTool } from "./memory-access.ts";
import type { RemindersPort } from "./reminders/port.ts";
import { readWhen } from "./reminders/when.ts";

const MAX_TEXT = 500;

const parameters = z.object({
  text: z.string().trim().min(1).max(MAX_TEXT).describe("Of what"),
  when: z.string().trim().min(1).max(100).describe('Such as "tomorrow at 3pm" or an ISO time'),
});

type RemindArguments = z.infer<typeof parameters>;

/** What `remind_me` is made of. */
export interface RemindMeOptions {
  readonly reminders: RemindersPort;
  /** Whether a session is private: nothing of it is written to the disk. */
  readonly isPrivate?: ((sessionId: string) => boolean) | undefined;
  /** For one call; milliseconds. */
  readonly timeoutMs: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The tool `remind_me`: keeps a reminder that the editor shows when it is due, also after a restart. */
export function remindMe(options: RemindMeOptions): Tool<RemindArguments> {
  return timedTool(
    options,
    {
      name: "remind_me",
      aliases: ["set_reminder", "add_reminder", "create_reminder", "reminder"],
      description: "Reminds the user of something later, when they ask for it.",
      parameters,
      readOnly: false,
    },
    run,
  );
}

async function run(
  { reminders, isPrivate, now }: RemindMeOptions,
  { text, when }: RemindArguments,
  { sessionId, turnId }: ToolContext,
): Promise<ToolOutcome> {
  if (isPrivate?.(sessionId) === true) {
    const message = "No reminder was set: this session is private, and nothing of it is kept.";
    return failedOutcome(failure("tool_disabled", message));
  }
  const at = readWhen(when, now());
  if (!at.ok) return failedOutcome(at.failure);
  const reminder = { text: memoryLineText(text, MAX_TEXT), at: at.value, sessionId, turnId };
  const added = await reminders.add(reminder);
  if (!added.ok) return failedOutcome(added.failure);
  const due = dueText(at.value);
  return {
    ok: true,
    content: `The user will be reminded on ${due}: ${reminder.text}`,
    details: {
      summary: `on ${due}`,
      answer: `You will be reminded on ${due}: ${reminder.text}`,
      data: { id: added.value.id, at: at.value, text: reminder.text },
    },
  };
}

/** A time of this machine's zone, such as `Friday 2026-05-08 15:00`. */
export function dueText(time: number): string {
  const date = new Date(time);
  const pad = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const weekday = new Intl.DateTimeFormat("en", { weekday: "long" }).format(date);
  return `${weekday} ${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

import * as vscode from "vscode";
import type { Result } from "../../../agent/failure.ts";
import { systemIdentity } from "../../../agent/ids.ts";
import { COMMANDS } from "../../contributions.ts";
import { showFailure } from "../../editor.ts";
import type { Reminder } from "./store.ts";
import { reminderText, snoozeChoices } from "./words.ts";
import { pickOne } from "../../pickers.ts";

const SHOW_TURN = "Show turn";
const SNOOZE = "Snooze";

/**
 * Shows a reminder that is due, and does what its buttons say. Resolves when it was closed.
 *
 * @param snooze has it shown again at a time (milliseconds since the epoch)
 */
export async function showReminder(
  { id, text, at, sessionId, turnId }: Reminder,
  snooze: (id: string, at: number) => Promise<Result<boolean>>,
): Promise<void> {
  const message = reminderText(text, at, systemIdentity.now());
  const pressed = await vscode.window.showInformationMessage(message, SHOW_TURN, SNOOZE);
  if (pressed === SHOW_TURN) {
    await vscode.commands.executeCommand(COMMANDS.openTracePanel, { sessionId, turnId });
  } else if (pressed === SNOOZE) {
    const choices = snoozeChoices(systemIdentity.now());
    const chosen = await pickOne(choices, { title: "Conclave: remind me again in" });
    // Who presses Snooze and chooses nothing still wants to be reminded.
    const again = chosen ?? choices[0];
    const done = again === undefined ? undefined : await snooze(id, again.at);
    if (done !== undefined && !done.ok) await showFailure(done.failure);
  }
}

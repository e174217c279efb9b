import * as vscode from "vscode";
import { dueText } from "../../tools/remind-me.ts";
import type { Container } from "../container.ts";
import { COMMANDS } from "../contributions.ts";
import { showFailure } from "../editor.ts";
import type { Reminder } from "../tools/reminders/store.ts";

interface Item extends vscode.QuickPickItem {
  readonly reminder: Reminder;
}

const DELETE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Delete" };

/** Lists the reminders; one that is chosen shows its turn, the button beside it deletes it. */
export async function showReminders(container: Container): Promise<void> {
  const { reminders } = container;
  const listed = await reminders.list();
  if (!listed.ok) return showFailure(listed.failure);
  if (listed.value.length === 0) {
    void vscode.window.showInformationMessage("There are no reminders.");
    return undefined;
  }
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = "Conclave: Reminders";
  picker.ignoreFocusOut = true;
  picker.placeholder = "Choose one to see its turn";
  picker.items = itemsOf(listed.value);
  picker.onDidTriggerItemButton(async ({ item }) => {
    const removed = await reminders.remove(item.reminder.id);
    if (!removed.ok) return showFailure(removed.failure);
    picker.items = picker.items.filter(({ reminder }) => reminder.id !== item.reminder.id);
    return undefined;
  });
  picker.onDidAccept(() => {
    const [chosen] = picker.selectedItems;
    picker.hide();
    if (chosen === undefined) return;
    const { sessionId, turnId } = chosen.reminder;
    void vscode.commands.executeCommand(COMMANDS.openTracePanel, { sessionId, turnId });
  });
  picker.onDidHide(() => picker.dispose());
  picker.show();
  return undefined;
}

/** Those to come, the next first, then those that were shown. */
function itemsOf(reminders: readonly Reminder[]): readonly Item[] {
  const toCome = reminders.filter(({ shownAt }) => shownAt === null);
  const shown = reminders.filter(({ shownAt }) => shownAt !== null);
  return [...toCome, ...shown.reverse()].map((reminder) => ({
    label: reminder.text,
    description: `${reminder.shownAt === null ? "" : "shown, "}${dueText(reminder.at)}`,
    buttons: [DELETE],
    reminder,
  }));
}

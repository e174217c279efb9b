import * as vscode from "vscode";
import type { Container } from "../container.ts";
import { COMMANDS, type CommandId } from "../contributions.ts";
import { pickOne } from "../pickers.ts";

interface MenuItem extends vscode.QuickPickItem {
  readonly command: CommandId;
}

const ITEMS: readonly MenuItem[] = [
  { command: COMMANDS.ask, label: "$(comment-discussion) Ask..." },
  { command: COMMANDS.askCommittee, label: "$(organization) Ask the committee..." },
  { command: COMMANDS.chooseCommittee, label: "$(person-add) Choose the committee..." },
  { command: COMMANDS.openTracePanel, label: "$(list-tree) Open trace panel" },
  { command: COMMANDS.selectModel, label: "$(chip) Select model..." },
  { command: COMMANDS.newSession, label: "$(add) New session" },
  { command: COMMANDS.newPrivateSession, label: "$(lock) New private session" },
  { command: COMMANDS.showMemory, label: "$(database) Show memory" },
  { command: COMMANDS.showTools, label: "$(tools) Show tools" },
  { command: COMMANDS.enableWebTools, label: "$(globe) Web tools..." },
  { command: COMMANDS.checkSetup, label: "$(checklist) Check set-up" },
  { command: COMMANDS.openSettings, label: "$(settings-gear) Settings" },
];

/** What the status bar's item opens. */
export async function showMenu(container: Container): Promise<void> {
  const services = await container.services();
  const { running } = services.activity();
  const { settings } = services.settings();
  const cancel: readonly MenuItem[] =
    running.length === 0
      ? []
      : [{ command: COMMANDS.cancelTurn, label: "$(stop-circle) Cancel the running turn" }];
  const title = `Conclave: ${settings.model === "" ? "no model selected" : settings.model}`;
  const pick = await pickOne([...cancel, ...ITEMS], { title });
  if (pick !== undefined) await vscode.commands.executeCommand(pick.command);
}

/** Shows the log. */
export function showLog(container: Container): Promise<void> {
  container.output.show();
  return Promise.resolve();
}

import * as vscode from "vscode";
import { describeError } from "../agent/failure.ts";
import type { Container } from "./container.ts";
import { PANEL_VIEW } from "./contributions.ts";

/** Whether a tab of the trace panel is open, as after a reload of the window. */
function isPanelTab({ input }: vscode.Tab): boolean {
  // VS Code puts a word of its own before the view type.
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL_VIEW);
}

/** Loads the panel where the window came back with its tab; else nothing is loaded. */
export function restorePanel(container: Container): void {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  if (!tabs.some(isPanelTab)) return;
  container.panel().catch((error: unknown) => {
    container.output.error(`The trace panel can't be restored: ${describeError(error)}`);
  });
}

import * as vscode from "vscode";

/** What a list says and searches; that it stays open is not a choice. */
export type PickOptions = Omit<vscode.QuickPickOptions, "canPickMany" | "ignoreFocusOut">;
export type LineOptions = Omit<vscode.InputBoxOptions, "ignoreFocusOut">;

/*
 * All of these stay until the user answers or presses Escape. Lists that close when they lose the focus can't be
 * looked up in the panel; and after the first of several VS Code gives the focus back to the panel's page, which takes
 * it a moment later, when the next one may be open already.
 */

/** Lets the user pick one of some items; undefined where they back out. */
export function pickOne<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: PickOptions,
): Thenable<T | undefined> {
  return vscode.window.showQuickPick(items, { ...options, ignoreFocusOut: true });
}

/** Lets the user pick any of some items; undefined where they back out. */
export function pickMany<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: PickOptions,
): Thenable<T[] | undefined> {
  return vscode.window.showQuickPick(items, { ...options, canPickMany: true, ignoreFocusOut: true });
}

/** Asks the user for a line of text; undefined where they back out. */
export function askLine(options: LineOptions): Thenable<string | undefined> {
  return vscode.window.showInputBox({ ...options, ignoreFocusOut: true });
}

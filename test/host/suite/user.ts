/** What a person does in the window, in a few words: the Command Palette, lists, notifications, dialogs. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { window } from "./driver.ts";

const QUICK_INPUT = ".quick-input-widget input[type=text], .quick-input-widget input[type=password]";
const QUICK_ROW = ".quick-input-list .monaco-list-row";
const TOAST = ".notification-toast";
const DIALOG = ".monaco-dialog-box";

/** Runs a command of ours by its title, as with F1. */
export async function palette(title: string): Promise<void> {
  await window.press("F1");
  await window.fill(QUICK_INPUT, `>Conclave: ${title}`);
  await window.click(QUICK_ROW, `Conclave: ${title}`);
}

/** Picks a line of the list that is open. */
export async function pick(text: string): Promise<void> {
  await window.click(QUICK_ROW, text);
}

/** The lines of the list that is open, once one of them holds the text. */
export async function lines(text: string): Promise<string> {
  await window.waitForText(QUICK_ROW, text);
  return (await window.texts(QUICK_ROW)).join("\n");
}

/** Waits for an input box whose title or prompt holds the text, and answers it. */
export async function answerBox(about: string, content: string): Promise<void> {
  await window.waitForText(".quick-input-title, .quick-input-message", about);
  await window.fill(QUICK_INPUT, content);
  await window.press("Enter");
}

/** Waits for a notification. */
export async function toast(text: string): Promise<void> {
  await window.waitForText(TOAST, text);
}

/** Presses a button of a notification. */
export async function pressToast(button: string): Promise<void> {
  await window.click(`${TOAST} .monaco-button`, button);
}

/** Waits for the modal dialog, which has to hold the text, and presses a button of it. */
export async function answerDialog(text: string, button: string): Promise<void> {
  await window.waitForText(DIALOG, text);
  await window.click(`${DIALOG} .monaco-button`, button);
  await window.waitGone(DIALOG);
}

/** Clears what earlier tests left in the window. */
export async function tidy(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await vscode.commands.executeCommand("notifications.clearAll");
}

/** Settles once a setting of ours has the value; to be called before what changes it. */
export function settingBecomes(key: string, value: unknown): Promise<void> {
  const has = (): boolean => vscode.workspace.getConfiguration("conclave").get(key) === value;
  assert.ok(!has(), `conclave.${key} is ${String(value)} already`);
  return new Promise((resolve) => {
    const listening = vscode.workspace.onDidChangeConfiguration(() => {
      if (!has()) return;
      listening.dispose();
      resolve();
    });
  });
}

/** Asks in the chat and waits for the whole response; gives its result as JSON. */
export async function chat(query: string, more: object = {}): Promise<string> {
  const response: unknown = await vscode.commands.executeCommand("workbench.action.chat.open", {
    query: `@conclave ${query}`,
    blockOnResponse: true,
    ...more,
  });
  return JSON.stringify(response);
}

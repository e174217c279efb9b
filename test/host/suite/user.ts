/** What a person does in the window, in a few words: the Command Palette, lists, notifications, dialogs. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { window } from "./driver.ts";
import { createWorld, settingIs, settled, type World } from "./world.ts";

const QUICK_INPUT = ".quick-input-widget input[type=text], .quick-input-widget input[type=password]";
const QUICK_ROW = ".quick-input-list .monaco-list-row";
const BOX_WORDS = ".quick-input-title, .quick-input-message";
const NOTIFICATION = ".notifications-center .notification-list-item";

/** A world whose window is as one begins with the panel: nothing open over it, no chat beside it, a session of its own. */
export async function panelWorld(): Promise<World> {
  const world = await createWorld();
  await tidy();
  await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
  await vscode.commands.executeCommand("conclave.newSession");
  return world;
}

/**
 * Does something until it worked, for a minute at most: what VS Code itself closes meanwhile, as its list of
 * notifications or of commands, is opened again, as a person would.
 */
async function untilDone(attempt: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const failure = await attempt().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (Date.now() > deadline) throw failure as Error;
  }
}

/**
 * Runs a command of ours by its title, as with F1. VS Code's list of commands closes when a page that was shown a
 * moment ago gets the focus late.
 */
export async function palette(title: string): Promise<void> {
  await untilDone(async () => {
    await window.press("F1");
    await window.fill(QUICK_INPUT, `>Conclave: ${title}`, 8_000);
    await window.click(QUICK_ROW, `Conclave: ${title}`, 8_000);
  });
}

/** Picks a line of the list that is open. */
export async function pick(text: string): Promise<void> {
  await window.click(QUICK_ROW, text);
}

/** Takes what is picked of the list that is open. */
export async function confirmPicks(): Promise<void> {
  await window.pressIn(QUICK_INPUT, "Enter");
}

/** Leaves the list that is open without an answer. */
export async function leaveList(): Promise<void> {
  await window.pressIn(QUICK_INPUT, "Escape");
}

/** The lines of the list that is open, once one of them holds the text. */
export async function lines(text: string): Promise<string> {
  await window.waitForText(QUICK_ROW, text);
  return (await window.texts(QUICK_ROW)).join("\n");
}

/** Waits for an input box whose title or prompt holds the text, and answers it. */
export async function answerBox(about: string, content: string): Promise<void> {
  await window.waitForText(BOX_WORDS, about);
  await window.fill(QUICK_INPUT, content);
  await window.pressIn(QUICK_INPUT, "Enter");
  // Checking an answer takes VS Code a moment; a box that loses the focus before that counts as closed.
  await window.waitGone(BOX_WORDS, about);
}

/**
 * Waits for a notification; VS Code shows them in its list only while it runs tests. The list closes by itself when
 * its last line goes (a progress that ends), so that it is opened again until the notification is in it.
 */
export async function notified(text: string): Promise<void> {
  await untilDone(async () => {
    await vscode.commands.executeCommand("notifications.showList");
    await window.waitForText(NOTIFICATION, text, 500);
  });
}

/** Presses a button of a notification. */
export async function pressNotified(button: string): Promise<void> {
  await untilDone(async () => {
    await vscode.commands.executeCommand("notifications.showList");
    await window.click(`${NOTIFICATION} .monaco-button`, button, 1_000);
  });
}

/** Waits until no notification holds the text. */
export async function notNotified(text: string): Promise<void> {
  await window.waitGone(NOTIFICATION, text);
}

/** A modal dialog that was asked for: VS Code refuses to show one while it runs tests. */
export interface AskedDialog {
  readonly message: string;
  readonly detail: string;
}

/** Answers the next warning dialog with a button, or by closing it; gives what it asked. */
export function answerDialog(button: string | undefined): Promise<AskedDialog> {
  const shown = vscode.window.showWarningMessage;
  return new Promise((resolve) => {
    const answer = (message: string, options: vscode.MessageOptions): Promise<string | undefined> => {
      Object.assign(vscode.window, { showWarningMessage: shown });
      resolve({ message, detail: options.detail ?? "" });
      return Promise.resolve(button);
    };
    Object.assign(vscode.window, { showWarningMessage: answer });
  });
}

/** Clears what earlier tests left in the window. */
export async function tidy(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await vscode.commands.executeCommand("notifications.clearAll");
}

/** Settles once a setting of ours has the value; to be called before what changes it. */
export function settingBecomes(key: string, value: unknown): Promise<void> {
  assert.ok(!settingIs(key, value), `conclave.${key} is ${String(value)} already`);
  return settled(key, value);
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

import * as vscode from "vscode";
import type { Failure } from "../agent/failure.ts";
import { failureButton, type FailurePlace } from "./failure-button.ts";

/** VS Code's API as forks may have it: without chat, or without language models. */
const partial: { readonly chat?: typeof vscode.chat; readonly lm?: Partial<typeof vscode.lm> } = vscode;

/** The chat API, where this editor has one. */
export function chatApi(): typeof vscode.chat | undefined {
  return partial.chat;
}

/** The language model API, where this editor has one that takes providers. */
export function modelApi():
  Pick<typeof vscode.lm, "registerLanguageModelChatProvider" | "selectChatModels"> | undefined {
  const { registerLanguageModelChatProvider, selectChatModels } = partial.lm ?? {};
  if (registerLanguageModelChatProvider === undefined || selectChatModels === undefined) return undefined;
  return { registerLanguageModelChatProvider, selectChatModels };
}

/** A signal that fires when VS Code's token does. `dispose` takes the listener away again. */
export interface TokenSignal {
  readonly signal: AbortSignal;
  dispose(): void;
}

/** Makes a signal of a token. */
export function signalOf(token: vscode.CancellationToken): TokenSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listener = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => void listener.dispose() };
}

/** Shows a failure once, with the button that mends it. Resolves when it was pressed or closed. Cancelling is silent. */
export async function showFailure(failure: Failure, place: FailurePlace = {}): Promise<void> {
  if (failure.code === "cancelled") return;
  const button = failureButton(failure, place);
  const pressed = await vscode.window.showErrorMessage(failure.message, ...(button ? [button.title] : []));
  if (button && pressed === button.title)
    await vscode.commands.executeCommand(button.command, ...(button.arguments ?? []));
}

/** Asks in a dialog before something goes for good; `button` is the word that agrees. */
export async function confirmLoss(message: string, detail: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, button)) === button;
}

/** Asks whether memories go that are named in the question. */
export function confirmForget({ message, detail }: { message: string; detail: string }): Promise<boolean> {
  return confirmLoss(message, detail, "Forget");
}

/** Runs work under a progress notification with a Cancel button. */
export async function withCancellableProgress<T>(
  title: string,
  work: (
    signal: AbortSignal,
    progress: vscode.Progress<{ message?: string; increment?: number }>,
  ) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const stop = signalOf(token);
    try {
      return await work(stop.signal, progress);
    } finally {
      stop.dispose();
    }
  });
}

import * as vscode from "vscode";
import { z } from "zod";
import type { Episode } from "../../agent/memory-port.ts";
import { readArgs } from "../ask-args.ts";
import { memoryTitle } from "../chat/recall.ts";
import { shorten } from "../chat/words.ts";
import type { Container } from "../container.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import { forgetQuestion } from "../forget-question.ts";

/** Memories that one list to forget from shows at most: the newest. */
const MAX_LISTED = 200;

/** Opens the trace panel on the memory table. */
export async function showMemory(container: Container): Promise<void> {
  (await container.panel()).reveal(undefined, "memory");
}

const ForgetArgs = z.object({ ids: z.array(z.string().min(1).max(200)).min(1).max(1_000) });

/**
 * Removes memories for good: those whose ids the arguments name, or those that the user picks. Always asks first, and
 * names what goes. Gives how many were removed; 0 when the user backs out.
 */
export async function forget(container: Container, args: readonly unknown[]): Promise<number> {
  const chosen =
    readArgs(ForgetArgs, args[0])?.ids.map((id) => ({ id, title: id })) ?? (await pickMemories(container));
  if (chosen === undefined || chosen.length === 0 || !(await confirm(chosen.map((one) => one.title))))
    return 0;
  const services = await container.services();
  const ids = chosen.map((one) => one.id);
  const done = await withCancellableProgress("Conclave: forgetting", (signal) =>
    services.memory.forget(ids, signal),
  );
  if (!done.ok) {
    await showFailure(done.failure);
    return 0;
  }
  const { removed } = done.value;
  void vscode.window.showInformationMessage(`Conclave: ${removed} of ${ids.length} memories are forgotten.`);
  return removed;
}

interface Chosen {
  readonly id: string;
  readonly title: string;
}

function item(episode: Episode): vscode.QuickPickItem & Chosen {
  const title = memoryTitle(episode, 90);
  return {
    id: episode.id,
    title,
    label: title,
    description: `${new Date(episode.time).toLocaleString()} · ${episode.kind}`,
    ...(episode.question === "" ? {} : { detail: shorten(episode.answer, 140) }),
  };
}

async function pickMemories(container: Container): Promise<readonly Chosen[] | undefined> {
  const services = await container.services();
  const page = await withCancellableProgress("Conclave: reading memory", (signal) =>
    services.memory.list({ offset: 0, limit: MAX_LISTED }, signal),
  );
  if (!page.ok) {
    await showFailure(page.failure);
    return undefined;
  }
  const { rows, total } = page.value;
  if (rows.length === 0) {
    void vscode.window.showInformationMessage("Conclave: memory is empty.");
    return undefined;
  }
  const older = total > rows.length ? ` (the newest ${rows.length} of ${total})` : "";
  return await vscode.window.showQuickPick(rows.map(item), {
    title: `Conclave: forget which memories?${older}`,
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
}

async function confirm(titles: readonly string[]): Promise<boolean> {
  const { message, detail } = forgetQuestion(titles);
  const pressed = await vscode.window.showWarningMessage(message, { modal: true, detail }, "Forget");
  return pressed === "Forget";
}

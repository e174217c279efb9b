import * as vscode from "vscode";
import { z } from "zod";
import { readArgs, TurnPlace } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { chatApi, showFailure } from "../editor.ts";
import { beginPrivate } from "../memory/private.ts";
import { pickOne } from "../pickers.ts";

/** Opens the trace panel, at a turn where the arguments name one. */
export async function openTracePanel(container: Container, args: readonly unknown[]): Promise<void> {
  const turn = readArgs(TurnPlace, args[0]);
  (await container.panel()).reveal(turn);
}

/** Makes the panel's page anew, also when it has died; opens the panel when none is open. */
export async function reloadTracePanel(container: Container): Promise<void> {
  (await container.panel()).reload();
}

/** Opens the trace panel on the list of tools. */
export async function showTools(container: Container): Promise<void> {
  (await container.panel()).reveal(undefined, "tools");
}

/** Opens the trace panel on what critics and people think of answers. */
export async function showCritic(container: Container): Promise<void> {
  (await container.panel()).reveal(undefined, "critic");
}

const NEW_CHAT = "workbench.action.chat.newChat";

/** Begins a new session in every door: the panel, the chat, and the next question of Ask in the Command Palette. */
export async function newSession(container: Container): Promise<void> {
  const services = await container.services();
  services.commandSession.id = undefined;
  const commands = await vscode.commands.getCommands(true);
  if (chatApi() !== undefined && commands.includes(NEW_CHAT)) await vscode.commands.executeCommand(NEW_CHAT);
  (await container.panel()).newSession();
}

/**
 * Begins a private session in the panel and for the next question of Ask: it lives in this window alone until it is
 * saved. Gives its id.
 */
export async function newPrivateSession(container: Container): Promise<string> {
  const services = await container.services();
  const sessionId = beginPrivate(services.log, services.identity);
  services.commandSession.id = sessionId;
  const panel = await container.panel();
  panel.reveal();
  panel.newSession(sessionId);
  return sessionId;
}

/** Saves a private session: the named one, the only one, or the one that the user picks. Gives its id once it is. */
export async function savePrivateSession(
  container: Container,
  args: readonly unknown[],
): Promise<string | undefined> {
  const services = await container.services();
  const held = services.log.privateSessions();
  const named = readArgs(SessionId, args[0]);
  const sessionId =
    named ?? (held.length > 1 ? await pickSession(container, held, "save which session?") : held[0]);
  if (sessionId === undefined || !services.log.isPrivate(sessionId)) {
    void vscode.window.showInformationMessage("Conclave: there is no private session to save.");
    return undefined;
  }
  const saved = await services.savePrivate(sessionId);
  if (!saved.ok) {
    await showFailure(saved.failure);
    return undefined;
  }
  void vscode.window.showInformationMessage("Conclave: the session is saved, and its turns are remembered.");
  return sessionId;
}

const SessionId = z.string().min(1).max(200);

/** Cancels the running turn: of the named session, of the only one, or of the one that the user picks. True when one was. */
export async function cancelTurn(container: Container, args: readonly unknown[]): Promise<boolean> {
  const services = await container.services();
  const { running } = services.activity();
  const sessionId =
    readArgs(SessionId, args[0]) ??
    (running.length > 1 ? await pickSession(container, running, "cancel which turn?") : running[0]);
  const turn = sessionId === undefined ? undefined : services.engine.running(sessionId);
  if (turn === undefined) return false;
  turn.cancel();
  await turn.done;
  return true;
}

async function pickSession(
  container: Container,
  sessions: readonly string[],
  title: string,
): Promise<string | undefined> {
  const services = await container.services();
  const items = await Promise.all(
    sessions.map(async (sessionId) => {
      const rows = await services.log.rows(sessionId);
      const last = rows.ok ? rows.value.at(-1) : undefined;
      return { label: last?.question ?? sessionId, description: last?.door ?? "", sessionId };
    }),
  );
  const pick = await pickOne(items, { title: `Conclave: ${title}` });
  return pick?.sessionId;
}

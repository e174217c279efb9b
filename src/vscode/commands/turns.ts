import * as vscode from "vscode";
import { z } from "zod";
import { readArgs, TurnPlace } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { chatApi } from "../editor.ts";

/** Opens the trace panel, at a turn where the arguments name one. */
export async function openTracePanel(container: Container, args: readonly unknown[]): Promise<void> {
  const turn = readArgs(TurnPlace, args[0]);
  (await container.panel()).reveal(turn);
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

const SessionId = z.string().min(1).max(200);

/** Cancels the running turn: of the named session, of the only one, or of the one that the user picks. True when one was. */
export async function cancelTurn(container: Container, args: readonly unknown[]): Promise<boolean> {
  const services = await container.services();
  const { running } = services.activity();
  const sessionId =
    readArgs(SessionId, args[0]) ?? (running.length > 1 ? await pickSession(container, running) : running[0]);
  const turn = sessionId === undefined ? undefined : services.engine.running(sessionId);
  if (turn === undefined) return false;
  turn.cancel();
  await turn.done;
  return true;
}

async function pickSession(container: Container, running: readonly string[]): Promise<string | undefined> {
  const services = await container.services();
  const items = await Promise.all(
    running.map(async (sessionId) => {
      const rows = await services.log.rows(sessionId);
      const last = rows.ok ? rows.value.at(-1) : undefined;
      return { label: last?.question ?? sessionId, description: last?.door ?? "", sessionId };
    }),
  );
  const pick = await vscode.window.showQuickPick(items, { title: "Conclave: cancel which turn?" });
  return pick?.sessionId;
}

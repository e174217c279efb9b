import { homedir } from "node:os";
import * as vscode from "vscode";
import { z } from "zod";
import { describeError, failed, failure, type Result } from "../../agent/failure.ts";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { NOTEBOOK_TYPE, PANEL_VIEW } from "../contributions.ts";
import { showFailure } from "../editor.ts";
import { pickSession } from "../export/choices.ts";
import type { Services } from "../services.ts";

const OfSession = z.looseObject({ sessionId: z.string().min(1).max(200) });
const ENDING = "conclave";
const NAME_LENGTH = 60;
/** Files of one name that are told apart by a number. */
const MAX_NUMBER = 100;

/**
 * Opens a trace as a notebook: a file, when a menu of VS Code names one; else a session, which is written to a file that
 * the user chooses. Without either the user picks a session. Gives the file's address, undefined when the user backs out.
 */
export async function openAsNotebook(
  container: Container,
  args: readonly unknown[],
): Promise<vscode.Uri | undefined> {
  const [first] = args;
  const uri =
    first instanceof vscode.Uri
      ? first
      : await writeSession(container, args, "Conclave: open which session?");
  if (uri !== undefined) await vscode.commands.executeCommand("vscode.openWith", uri, NOTEBOOK_TYPE);
  return uri;
}

/** Writes a session to a file that the user chooses; gives its address, undefined when the user backs out. */
export async function exportNotebook(
  container: Container,
  args: readonly unknown[],
): Promise<vscode.Uri | undefined> {
  const uri = await writeSession(container, args, "Conclave: export which session?");
  if (uri !== undefined) void offerToOpen(uri);
  return uri;
}

async function writeSession(
  container: Container,
  args: readonly unknown[],
  title: string,
): Promise<vscode.Uri | undefined> {
  const services = await container.services();
  const sessionId = await sessionOf(container, services, args, title);
  if (sessionId === undefined) return undefined;
  const bytes = await bytesOf(services, sessionId);
  if (!bytes.ok) {
    void showFailure(bytes.failure);
    return undefined;
  }
  const uri = await vscode.window.showSaveDialog({
    title: "Save the session as a notebook",
    filters: { "Conclave traces": [ENDING] },
    defaultUri: await proposedPlace(services, sessionId),
  });
  if (uri === undefined) return undefined;
  try {
    await vscode.workspace.fs.writeFile(uri, bytes.value);
  } catch (error) {
    void showFailure(failure("internal", `The notebook could not be written: ${describeError(error)}`));
    return undefined;
  }
  return uri;
}

async function offerToOpen(uri: vscode.Uri): Promise<void> {
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
  const pressed = await vscode.window.showInformationMessage(
    `Conclave: the session is in ${name}, as it was logged: nothing is taken out.`,
    "Open",
    "Open as Notebook",
  );
  if (pressed === "Open") await vscode.commands.executeCommand("vscode.open", uri);
  if (pressed === "Open as Notebook")
    await vscode.commands.executeCommand("vscode.openWith", uri, NOTEBOOK_TYPE);
}

/** A session's log; one that holds nothing is refused in words. */
async function bytesOf({ log }: Services, sessionId: string): Promise<Result<Uint8Array>> {
  const bytes = await log.bytes(sessionId);
  if (!bytes.ok || bytes.value.length > 0) return bytes;
  return failed("bad_input", "This session has no turn yet, or it was deleted.");
}

/** A name by the first question, in the folder that is open, else in the user's own: to be taken as it is. */
async function proposedPlace({ log }: Services, sessionId: string): Promise<vscode.Uri> {
  const rows = await log.rows(sessionId);
  const question = rows.ok ? (rows.value[0]?.question ?? "") : "";
  const words = question.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, NAME_LENGTH);
  const name = words.replace(/^-+|-+$/g, "").toLowerCase();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return await freePlace(folder, name === "" ? "session" : name);
}

/** A name in a folder that no file has yet, so that nothing has to be asked about one; the plain one where all are taken. */
async function freePlace(folder: vscode.Uri, name: string): Promise<vscode.Uri> {
  const place = (ending: string): vscode.Uri => vscode.Uri.joinPath(folder, `${name}${ending}.${ENDING}`);
  for (let number = 1; number <= MAX_NUMBER; number += 1) {
    const uri = place(number === 1 ? "" : `-${number}`);
    const isTaken = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!isTaken) return uri;
  }
  return place("");
}

/** Whether the trace panel is the editor in front: what is done there is meant of what it shows. */
function isPanelInFront(): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  // VS Code puts words of its own before the name.
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL_VIEW);
}

/** The session that is named, or that the panel in front shows; else the user picks one. */
async function sessionOf(
  container: Container,
  services: Services,
  args: readonly unknown[],
  title: string,
): Promise<string | undefined> {
  const named = readArgs(OfSession, args[0])?.sessionId;
  if (named !== undefined) return named;
  await services.log.flush();
  const shown = (await container.panel()).shownSession();
  if (shown !== "" && isPanelInFront()) return shown;
  return (await pickSession(services.log, shown, title))?.sessionId;
}

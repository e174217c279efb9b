import { homedir } from "node:os";
import * as vscode from "vscode";
import { z } from "zod";
import { FORMATS } from "../../trace/export/formats.ts";
import type { CleanContext } from "../../trace/export/redact/cleaner.ts";
import type { ExportFigures, ExportRequest } from "../../trace/export/types.ts";
import { counted } from "../../trace/export/story/words.ts";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { COMMANDS, SEARCH_KEY_SECRETS } from "../contributions.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import type { Services } from "../services.ts";
import { cleaningOf, ExportArgs } from "./args.ts";
import { pickCleaning, pickFormat, pickSession, pickTurn, type ExportPlace } from "./choices.ts";
import { cleanedInWords, figuresLine, previewHead } from "./preview-head.ts";
import { makePreview, Previews, writePreview, type Preview } from "./previews.ts";
import { saveText } from "./save.ts";
import { exportOrigin, type ExportLog, type ExportOrigin } from "./source.ts";

/** What a command to export gives: the document of the preview, and what it comes to. */
export interface Exported {
  readonly uri: string;
  readonly figures: ExportFigures;
}

/** The previews of each window's extension. */
const kept = new WeakMap<Container, Previews>();

function previewsOf(container: Container): Previews {
  const previews = kept.get(container) ?? new Previews();
  kept.set(container, previews);
  return previews;
}

/** Exports one turn: the named one, or one that the user picks. Ends with a preview; nothing is written yet. */
export async function exportTurn(
  container: Container,
  args: readonly unknown[],
): Promise<Exported | undefined> {
  return await exportPlace(container, args, ({ log, shown }, { sessionId, turnId }) => {
    return sessionId !== undefined && turnId !== undefined
      ? Promise.resolve({ sessionId, turnId })
      : pickTurn(log, shown);
  });
}

/** Exports a session: the named one, or one that the user picks. Ends with a preview; nothing is written yet. */
export async function exportSession(
  container: Container,
  args: readonly unknown[],
): Promise<Exported | undefined> {
  return await exportPlace(container, args, ({ log, shown }, { sessionId }) =>
    sessionId === undefined ? pickSession(log, shown) : Promise.resolve({ sessionId }),
  );
}

async function exportPlace(
  container: Container,
  args: readonly unknown[],
  choose: (origin: ExportOrigin, given: ExportArgs) => Promise<ExportPlace | undefined>,
): Promise<Exported | undefined> {
  const services = await container.services();
  const given = readArgs(ExportArgs, args[0]) ?? {};
  const origin = await exportOrigin(container, given);
  if (origin === undefined) return undefined;
  const place = await choose(origin, given);
  if (place === undefined) return undefined;
  const format = given.format ?? (await pickFormat());
  if (format === undefined) return undefined;
  const isTold = given.format !== undefined || given.leaveOut !== undefined || given.secrets !== undefined;
  const cleaning = isTold ? cleaningOf(given.secrets ?? true, given.leaveOut ?? []) : await pickCleaning();
  if (cleaning === undefined) return undefined;
  const context = await contextOf(services);
  return await preview(container, origin.log, { ...place, format, cleaning, context });
}

/** What is known to be secret or personal on this machine. */
async function contextOf(services: Services): Promise<CleanContext> {
  const providers = Object.keys(SEARCH_KEY_SECRETS);
  const keys = await Promise.all(providers.map((provider) => services.searchKey(provider)));
  return { home: homedir(), secrets: keys.filter((key) => key !== undefined) };
}

async function preview(
  container: Container,
  log: ExportLog,
  request: ExportRequest,
): Promise<Exported | undefined> {
  const made = await withCancellableProgress("Conclave: preparing the export", (signal, progress) => {
    const onProgress = (events: number): void => {
      if (events % 500 === 0) progress.report({ message: counted(events, "event") });
    };
    return makePreview(log, request, { signal, onProgress });
  });
  if (!made.ok) {
    await showFailure(made.failure);
    return undefined;
  }
  const uri = (await show(container, made.value)).toString();
  previewsOf(container).keep(uri, made.value);
  void offer(made.value);
  return { uri, figures: made.value.figures };
}

/** Shows what goes out. The ending of the name keeps the editor from checking what is no file of that kind. */
async function show({ documents }: Container, made: Preview): Promise<vscode.Uri> {
  const { request, figures, shown, whole } = made;
  const isWhole = whole !== undefined && whole.length === shown.length;
  const head = previewHead(request.format, figures, {
    whole: isWhole,
    secrets: request.cleaning.secrets,
  });
  const ending = request.format === "markdown" ? "md" : "txt";
  const name = made.fileName.replace(/^conclave/, "export-preview").replace(/\.[\w.]+$/, `.${ending}`);
  return await documents.showText(name, head + shown);
}

async function offer({ figures }: Preview): Promise<void> {
  const cleaned = cleanedInWords(figures);
  const taken = cleaned === "" ? "" : ` Taken out: ${cleaned}.`;
  const pressed = await vscode.window.showInformationMessage(
    `Conclave: ${figuresLine(figures)} would go out.${taken}`,
    ...["Save...", "Copy"],
  );
  if (pressed === "Save...") await vscode.commands.executeCommand(COMMANDS.saveExport);
  if (pressed === "Copy") await vscode.commands.executeCommand(COMMANDS.copyExport);
}

const FilePath = z.string().min(1).max(10_000);

function found(container: Container): Preview | undefined {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const one = previewsOf(container).find(active);
  if (one === undefined)
    void vscode.window.showInformationMessage(
      "Conclave: export a turn or a session first, then look at what goes out.",
    );
  return one;
}

/** Writes the export that was looked at to a file: the named one, or one that the user chooses. Gives its path. */
export async function saveExport(
  container: Container,
  args: readonly unknown[],
): Promise<string | undefined> {
  const made = found(container);
  if (made === undefined) return undefined;
  const path = readArgs(FilePath, args[0]);
  const uri = path === undefined ? await chooseFile(made) : vscode.Uri.file(path);
  if (uri === undefined) return undefined;
  const done = await withCancellableProgress("Conclave: saving the export", (signal) =>
    saveText(uri, (sink) => writePreview(made, sink, signal)),
  );
  if (!done.ok) {
    await showFailure(done.failure);
    return undefined;
  }
  void vscode.window.showInformationMessage(`Conclave: exported to ${uri.fsPath}.`);
  return uri.fsPath;
}

function chooseFile({ request, fileName }: Preview): Thenable<vscode.Uri | undefined> {
  const { label, extension } = FORMATS[request.format];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title: "Save the export",
    // VS Code knows a name's last ending alone, and would put one of two, such as otlp.json, behind it once more.
    filters: { [label]: [extension.slice(extension.lastIndexOf(".") + 1)] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, fileName) }),
  });
}

/** Copies the export that was looked at. True when it was. */
export async function copyExport(container: Container): Promise<boolean> {
  const made = found(container);
  if (made === undefined) return false;
  if (made.whole === undefined) {
    void vscode.window.showWarningMessage("Conclave: the export is too large to copy. Save it to a file.");
    return false;
  }
  await vscode.env.clipboard.writeText(made.whole);
  void vscode.window.showInformationMessage("Conclave: the export is copied.");
  return true;
}

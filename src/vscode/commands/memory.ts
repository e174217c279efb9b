import * as vscode from "vscode";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import type { Episode } from "../../agent/memory/port.ts";
import type { ForgetWhat } from "../../agent/memory/types.ts";
import { readArgs } from "../ask-args.ts";
import { memoryTitle } from "../chat/recall.ts";
import { shorten } from "../chat/words.ts";
import type { Container } from "../container.ts";
import { MEMORY_CREDENTIALS_SECRET } from "../contributions.ts";
import { confirmForget, showFailure, withCancellableProgress } from "../editor.ts";
import { credentialFields, storageOptions } from "../memory/credentials.ts";
import { forget as forgetAsked } from "../memory/forget.ts";
import { exportTo, importedInWords, importFrom } from "../panel/memory/transfer.ts";
import { forgottenInWords } from "../panel/memory/words.ts";
import { askLine, pickMany } from "../pickers.ts";

/** Memories that one list to forget from shows at most: the newest. */
const MAX_LISTED = 200;

const ShowArgs = z.object({ query: z.string().trim().min(1).max(500) });

/** Opens the trace panel on the memory view, at a search where the arguments name one. */
export async function showMemory(container: Container, args: readonly unknown[]): Promise<void> {
  const query = readArgs(ShowArgs, args[0])?.query;
  (await container.panel()).reveal(undefined, "memory", query);
}

const Tables = z.enum(["episodes", "facts", "people", "relationships", "resources", "moments"]);
const ForgetArgs = z.union([
  z.object({
    ids: z.array(z.string().min(1).max(200)).min(1).max(1_000),
    table: Tables.optional(),
  }),
  z.object({ about: z.string().trim().min(1).max(500) }),
]);

/**
 * Forgets for good: the memories whose ids the arguments name, all about some words, or those that the user picks.
 * Always asks first, and names what goes. Gives how many rows were removed; 0 when the user backs out.
 */
export async function forget(container: Container, args: readonly unknown[]): Promise<number> {
  const given = readArgs(ForgetArgs, args[0]);
  if (given !== undefined && "about" in given)
    return await forgetShown(container, { by: "about", about: given.about });
  const ids = given?.ids ?? (await pickMemories(container));
  if (ids === undefined || ids.length === 0) return 0;
  return await forgetShown(container, { by: "ids", table: given?.table ?? "episodes", ids });
}

/** Forgets all that mentions a name, a place or other words, which the user types. Gives how many rows were removed. */
export async function forgetAbout(container: Container, args: readonly unknown[]): Promise<number> {
  const given = readArgs(ForgetArgs, args[0]);
  const typed =
    given !== undefined && "about" in given
      ? given.about
      : await askLine({
          title: "Conclave: Forget All About",
          prompt: "A name, a place, or any words. You are shown what goes before it does.",
          placeHolder: "the staging password",
        });
  const about = typed?.trim() ?? "";
  return about === "" ? 0 : await forgetShown(container, { by: "about", about });
}

async function forgetShown(container: Container, what: ForgetWhat): Promise<number> {
  const services = await container.services();
  const done = await withCancellableProgress("Conclave: forgetting", (signal) =>
    forgetAsked(services.memory, what, signal, confirmForget),
  );
  if (!done.ok) {
    await showFailure(done.failure);
    return 0;
  }
  const { removed, turns } = done.value;
  const nothing = removed === 0 && turns.length === 0;
  const told = nothing ? "Nothing is remembered of it." : forgottenInWords(done.value);
  void vscode.window.showInformationMessage(`Conclave: ${told}`);
  return removed;
}

interface Chosen {
  readonly id: string;
}

function item(episode: Episode): vscode.QuickPickItem & Chosen {
  return {
    id: episode.id,
    label: memoryTitle(episode, 90),
    description: `${new Date(episode.time).toLocaleString()} · ${episode.kind}`,
    ...(episode.question === "" ? {} : { detail: shorten(episode.answer, 140) }),
  };
}

async function pickMemories(container: Container): Promise<readonly string[] | undefined> {
  const services = await container.services();
  const page = await withCancellableProgress("Conclave: reading memory", (signal) =>
    services.memory.list({ table: "episodes", offset: 0, limit: MAX_LISTED }, signal),
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
  const picked = await pickMany(rows.map(item), {
    title: `Conclave: forget which memories?${older}`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.map(({ id }) => id);
}

const JSON_LINES = { "JSON Lines": ["jsonl"] };
const FilePath = z.string().min(1).max(10_000);

/** What a file to save is called unless the user says otherwise. */
function proposedFile(): vscode.SaveDialogOptions {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder?.scheme !== "file") return {};
  return { defaultUri: vscode.Uri.joinPath(folder, "conclave-memory.jsonl") };
}

/** Writes all that is remembered to a file of JSON Lines: the named one, or one that the user chooses. Gives how many rows. */
export async function exportMemory(container: Container, args: readonly unknown[]): Promise<number> {
  const path =
    readArgs(FilePath, args[0]) ??
    (await vscode.window.showSaveDialog({ title: "Export memory", filters: JSON_LINES, ...proposedFile() }))
      ?.fsPath;
  if (path === undefined) return 0;
  const { memory } = await container.services();
  const done = await withCancellableProgress("Conclave: exporting memory", (signal, progress) =>
    exportTo(path, memory, (rows) => progress.report({ message: `${rows} rows` }), signal),
  );
  return await told(
    done,
    (rows) => `exported ${rows} rows to ${path}.`,
    (rows) => rows,
  );
}

/** Adds the rows of an export: of the named file, or of one that the user chooses. Gives how many are new. */
export async function importMemory(container: Container, args: readonly unknown[]): Promise<number> {
  const path =
    readArgs(FilePath, args[0]) ??
    (
      await vscode.window.showOpenDialog({ title: "Import memory", openLabel: "Import", filters: JSON_LINES })
    )?.[0]?.fsPath;
  if (path === undefined) return 0;
  const { memory } = await container.services();
  const done = await withCancellableProgress("Conclave: importing memory", (signal, progress) =>
    importFrom(path, memory, (rows) => progress.report({ message: `${rows} rows` }), signal),
  );
  return await told(done, importedInWords, ({ added }) => added);
}

async function told<T>(
  done: Result<T>,
  words: (value: T) => string,
  count: (value: T) => number,
): Promise<number> {
  if (!done.ok) {
    await showFailure(done.failure);
    return 0;
  }
  void vscode.window.showInformationMessage(`Conclave: ${words(done.value)}`);
  return count(done.value);
}

/** Keeps or removes the keys of the object store that memory lies in, in the editor's secret store. */
export async function setMemoryCredentials(container: Container): Promise<boolean> {
  const services = await container.services();
  const fields = credentialFields(services.settings().settings.memoryUri);
  const { secrets } = container.extension;
  if (fields === undefined) {
    const message =
      "Memory lies in a folder, which needs no keys. Set conclave.memory.uri to an object store first.";
    void vscode.window.showInformationMessage(`Conclave: ${message}`);
    return false;
  }
  const answers: Record<string, string> = {};
  for (const [at, { name, prompt, secret }] of fields.entries()) {
    const title = `Conclave: keys of the memory store (${at + 1} of ${fields.length})`;
    const answer = await askLine({
      title,
      prompt,
      password: secret,
    });
    if (answer === undefined) return false;
    answers[name] = answer;
  }
  const options = storageOptions(answers);
  const isEmpty = Object.keys(options).length === 0;
  if (isEmpty) await secrets.delete(MEMORY_CREDENTIALS_SECRET);
  else await secrets.store(MEMORY_CREDENTIALS_SECRET, JSON.stringify(options));
  return !isEmpty;
}

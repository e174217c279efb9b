import * as vscode from "vscode";
import { readLogBytes } from "../../trace/notebook/log-bytes.ts";
import type { KeptLog, KeptLogs, NotebookKey } from "./kept-logs.ts";
import { keyOf, toldOfData, toldOfDocument } from "./notebook-data.ts";
import { savedOf } from "./which-notebook.ts";

/** The open notebooks that were read from a log. */
export function notebooksOf(base: string): readonly vscode.NotebookDocument[] {
  return vscode.workspace.notebookDocuments.filter(({ metadata }) => keyOf(metadata)?.base === base);
}

/**
 * The log that a notebook was read from. What held it is gone when the extension host has been restarted: then it is
 * read once more from the notebook's file. Undefined when there is none; rejects when the file can't be read.
 */
export async function findLog(logs: KeptLogs, { base, session }: NotebookKey): Promise<KeptLog | undefined> {
  const known = logs.get(base);
  if (known !== undefined) return known;
  const [uri] = notebooksOf(base)
    .map((notebook) => notebook.uri)
    .filter(({ scheme }) => scheme !== "untitled");
  if (uri === undefined) return undefined;
  const log = await readLogBytes(await vscode.workspace.fs.readFile(uri));
  return log === undefined ? undefined : logs.restore({ base, session, log, createdAt: Date.now() });
}

/** The open notebooks that may be the one whose data are being saved; several only where they can't be told apart. */
export function notebooksSaved(
  data: vscode.NotebookData,
  session: string,
): readonly vscode.NotebookDocument[] {
  const open = vscode.workspace.notebookDocuments
    .filter(({ metadata }) => keyOf(metadata)?.session === session)
    .map((notebook) => ({
      notebook,
      cells: toldOfDocument(notebook),
      isDirty: notebook.isDirty,
      isReadOnly: vscode.workspace.fs.isWritableFileSystem(notebook.uri.scheme) === false,
    }));
  return savedOf(toldOfData(data), open).map(({ notebook }) => notebook);
}

import * as vscode from "vscode";
import type { VirtualFileSystem, VirtualFolder } from "./virtual-files.ts";

/** How long the first question waits for the files of folders elsewhere, in milliseconds. */
const FIRST_MS = 3_000;

/** A workspace folder as it is read ahead. */
export function virtualFolder({ name, uri }: vscode.WorkspaceFolder): VirtualFolder {
  return { name, address: uri.toString() };
}

/** Files as the editor reaches them, wherever they are. */
export const editorFiles: VirtualFileSystem = {
  join: (address, ...names) => vscode.Uri.joinPath(vscode.Uri.parse(address), ...names).toString(),
  list: async (address) => {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(address));
    return entries.flatMap(([name, type]) => ((type & vscode.FileType.File) === 0 ? [] : [name]));
  },
  stat: async (address) => await vscode.workspace.fs.stat(vscode.Uri.parse(address)),
  read: async (address) => await vscode.workspace.fs.readFile(vscode.Uri.parse(address)),
};

/** Waits for the files of folders elsewhere, but not for ever: what comes later is told as a change. */
export async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIRST_MS)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}

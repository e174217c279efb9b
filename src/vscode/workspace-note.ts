import * as vscode from "vscode";
import { refusedLine, refusedSettings, type SettingsFile } from "./workspace-asks.ts";

/** A settings file that is longer is not looked through. */
const MAX_BYTES = 1_000_000;

/** The workspace's own settings files: one in each folder, and the workspace file. */
function settingsFiles(): readonly vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const inFolders = folders.map(({ uri }) => vscode.Uri.joinPath(uri, ".vscode", "settings.json"));
  const { workspaceFile } = vscode.workspace;
  return workspaceFile === undefined || workspaceFile.scheme === "untitled"
    ? inFolders
    : [...inFolders, workspaceFile];
}

async function read(uri: vscode.Uri): Promise<SettingsFile | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_BYTES) return undefined;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { label: vscode.workspace.asRelativePath(uri), text: new TextDecoder().decode(bytes) };
  } catch {
    // Most folders have no settings of their own.
    return undefined;
  }
}

/** Watches for settings that the workspace asks for and does not get. */
export class WorkspaceNote {
  #said: string | undefined;

  /**
   * What was refused, in one line; undefined when nothing was. Looked up at each call: the files are small, and trust
   * and files change.
   */
  async line(): Promise<string | undefined> {
    const files = await Promise.all(settingsFiles().map(read));
    const found = files.filter((file) => file !== undefined);
    const trusted = vscode.workspace.isTrusted;
    return refusedLine(refusedSettings(found, trusted), trusted);
  }

  /** The line, if it was not said in this window yet. */
  async unsaid(): Promise<string | undefined> {
    const line = await this.line();
    if (line === this.#said) return undefined;
    this.#said = line;
    return line;
  }
}

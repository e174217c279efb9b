import * as vscode from "vscode";

/** How the address of a file begins that is not on this machine's disk: no drive of Windows has two letters. */
const ADDRESS = /^[a-z][\w+.-]+:\//iu;

/** What an agent's file is known by: its path, or its address where it is not on this machine's disk. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === "file" ? uri.fsPath : uri.toString();
}

/** The file that a path or an address stands for. */
export function uriOf(path: string): vscode.Uri {
  return ADDRESS.test(path) ? vscode.Uri.parse(path) : vscode.Uri.file(path);
}

/** Whether a file may be one that agents are read from. */
export function isAgentPath(uri: vscode.Uri): boolean {
  if (uri.scheme !== "file" && vscode.workspace.getWorkspaceFolder(uri) === undefined) return false;
  const parts = uri.path.split("/").slice(-3);
  return (
    parts.at(-1) === "AGENTS.md" ||
    (parts[1] === "agents" && /^\.(?:conclave|github|claude)$/u.test(parts[0] ?? ""))
  );
}

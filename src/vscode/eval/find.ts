import { relative } from "node:path";
import * as vscode from "vscode";
import { findCases, type FoundCases } from "../../cli/eval/case/find.ts";
import { isCasePath } from "./case-path.ts";

/** Where cases of a folder are kept. */
const CASES = ".conclave/evals/**/*.{yaml,yml,json}";
/** Most files that are looked at. */
const MAX_FILES = 2_000;

/** Paths of all case files of the open folders, the one in the active editor first. */
export async function caseFiles(): Promise<readonly string[]> {
  const found = await vscode.workspace.findFiles(CASES, undefined, MAX_FILES);
  const paths = found.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath);
  const active = vscode.window.activeTextEditor?.document.uri;
  const open = active !== undefined && isCasePath(active) ? [active.fsPath] : [];
  return [...new Set([...open, ...paths.sort()])];
}

/** Reads cases; files are named relative to their workspace folder. */
export function readCases(paths: readonly string[]): Promise<FoundCases> {
  return findCases(paths, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/");
}

/** How a case's file is called in a list. */
export function shownFile(path: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path));
  return folder === undefined ? path : relative(folder.uri.fsPath, path);
}

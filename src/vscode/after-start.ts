import * as vscode from "vscode";
import { systemTimer } from "../agent/timer.ts";

/** After so long the editor has started, in milliseconds: what is loaded then holds nobody up. */
const AFTER_MS = 1_000;

/** Does work a moment after activation, unless it is disposed of before. */
export function afterStart(work: () => void): vscode.Disposable {
  return new vscode.Disposable(systemTimer(AFTER_MS, work));
}

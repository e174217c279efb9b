import * as vscode from "vscode";
import { FILE_VIEWS } from "../contributions.ts";
import type { EvalPort } from "./eval-part.ts";

/** The folder of the extension's storage in which reports of evaluations stand, each in a folder of its own. */
export const EVALS_FOLDER = "evaluations";

/** The reports of this machine's evaluations. */
export function evalPort(storage: vscode.Uri): EvalPort {
  return {
    folder: vscode.Uri.joinPath(storage, EVALS_FOLDER).fsPath,
    choose: async () => {
      const chosen = await vscode.window.showOpenDialog({
        title: "Open the report of an evaluation",
        openLabel: "Open",
        filters: { "Report of an evaluation": ["json"] },
      });
      return chosen?.[0]?.scheme === "file" ? chosen[0].fsPath : undefined;
    },
    showTrace: async (path) => {
      await vscode.commands.executeCommand("vscode.openWith", vscode.Uri.file(path), FILE_VIEWS.lines);
    },
  };
}

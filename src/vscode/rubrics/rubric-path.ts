import * as vscode from "vscode";
import { isRubricFile } from "../../agent/critic/rubric-file-name.ts";

/** Whether a file may be one that a rubric is read from. */
export function isRubricPath(uri: vscode.Uri): boolean {
  if (uri.scheme !== "file" && vscode.workspace.getWorkspaceFolder(uri) === undefined) return false;
  const [above, folder, name = ""] = uri.path.split("/").slice(-3);
  return above === ".conclave" && folder === "rubrics" && isRubricFile(name);
}

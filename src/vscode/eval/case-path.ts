import type * as vscode from "vscode";

/** Whether a file is an evaluation case: one below `.conclave/evals`. */
export function isCasePath({ scheme, path }: Pick<vscode.Uri, "scheme" | "path">): boolean {
  return scheme === "file" && /\/\.conclave\/evals\/(?:.*\/)?[^/_.][^/]*\.(?:ya?ml|json)$/iu.test(path);
}

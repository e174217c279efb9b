import * as vscode from "vscode";

/** Waits until what Conclave says of a file fits; every change of diagnostics is looked at. */
export function problemsOf(
  uri: vscode.Uri,
  fits: (all: readonly vscode.Diagnostic[]) => boolean,
): Promise<void> {
  const own = (): readonly vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Conclave");
  return new Promise((resolve) => {
    const listening = vscode.languages.onDidChangeDiagnostics(() => {
      if (!fits(own())) return;
      listening.dispose();
      resolve();
    });
    if (!fits(own())) return;
    listening.dispose();
    resolve();
  });
}

import * as vscode from "vscode";
import { readBeside } from "../../cli/eval/case/beside.ts";
import { parseCase, type CaseProblem } from "../../cli/eval/case/file.ts";

/** What is wrong with a case as it stands in its editor. Files beside it are read in trusted folders only. */
export async function caseDiagnostics(document: vscode.TextDocument): Promise<readonly vscode.Diagnostic[]> {
  const { fsPath } = document.uri;
  const beside = vscode.workspace.isTrusted
    ? (name: string) => readBeside(fsPath, name)
    : () => Promise.resolve("");
  const { problems } = await parseCase(fsPath, document.getText(), beside);
  return problems.map(diagnosticOf);
}

function diagnosticOf({ severity, message, line, column, endColumn }: CaseProblem): vscode.Diagnostic {
  const range = new vscode.Range(line - 1, column - 1, line - 1, endColumn - 1);
  const level = severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(range, message, level);
  diagnostic.source = "Conclave";
  return diagnostic;
}

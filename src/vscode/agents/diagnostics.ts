import * as vscode from "vscode";
import type { AgentProblem } from "../../agent/agents/definition.ts";
import { pathOf, uriOf } from "./agent-path.ts";

/** Files of one kind that are checked. */
export interface CheckedFiles {
  /** What is wrong with all of them, as they are on the disk. */
  problems(): readonly AgentProblem[];
  /** What is wrong with a text that stands in an editor, saved or not. */
  problemsOf(path: string, text: string): readonly AgentProblem[];
}

/** What is wrong with files, in the Problems view and underlined in editors. */
export class FileDiagnostics implements vscode.Disposable {
  readonly #collection: vscode.DiagnosticCollection;
  readonly #isOwn: (uri: vscode.Uri) => boolean;

  /** `isOwn` tells which files these are. */
  constructor(name: string, isOwn: (uri: vscode.Uri) => boolean) {
    this.#collection = vscode.languages.createDiagnosticCollection(name);
    this.#isOwn = isOwn;
  }

  /** Shows what is wrong with all files; for one that is being edited, with its text as it stands. */
  show(files: CheckedFiles): void {
    const byPath = new Map<string, AgentProblem[]>();
    for (const problem of files.problems()) {
      const own = byPath.get(problem.path) ?? [];
      own.push(problem);
      byPath.set(problem.path, own);
    }
    const edited = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && this.#isOwn(uri));
    for (const { uri } of edited) byPath.delete(pathOf(uri));
    this.#collection.clear();
    for (const [path, problems] of byPath) this.#collection.set(uriOf(path), problems.map(diagnosticOf));
    for (const document of edited) this.edited(document, files);
  }

  /** Shows what is wrong with a text that is being edited. */
  edited(document: vscode.TextDocument, files: CheckedFiles): void {
    const problems = files.problemsOf(pathOf(document.uri), document.getText());
    this.#collection.set(document.uri, problems.map(diagnosticOf));
  }

  dispose(): void {
    this.#collection.dispose();
  }
}

function diagnosticOf({ severity, message, line, column = 1, endColumn }: AgentProblem): vscode.Diagnostic {
  const row = (line ?? 1) - 1;
  const end = endColumn ?? (line === undefined ? column : column + 1);
  const level = severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(new vscode.Range(row, column - 1, row, end - 1), message, level);
  diagnostic.source = "Conclave";
  return diagnostic;
}

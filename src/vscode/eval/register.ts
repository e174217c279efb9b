import * as vscode from "vscode";
import { describeError } from "../../agent/failure.ts";
import type { Container } from "../container.ts";
import { isCasePath } from "./case-path.ts";

/** How long a text that is being written is left alone, in milliseconds. */
const TYPING_MS = 200;

/** Shows what is wrong with evaluation cases that are open, underlined and in the Problems view. Loads nothing before. */
export function registerCases({ output }: Pick<Container, "output">): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("conclave-evals");
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const { caseDiagnostics } = await import("./diagnostics.ts");
    const { version } = document;
    const found = await caseDiagnostics(document);
    // What was typed meanwhile is looked at next.
    if (!document.isClosed && document.version === version) collection.set(document.uri, found);
  };
  const look = (document: vscode.TextDocument, ms: number): void => {
    if (!isCasePath(document.uri)) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    const timer = setTimeout(() => {
      waiting.delete(key);
      check(document).catch((error: unknown) =>
        output.error(`A case can't be checked: ${describeError(error)}`),
      );
    }, ms);
    waiting.set(key, timer);
  };
  for (const document of vscode.workspace.textDocuments) look(document, 0);
  return vscode.Disposable.from(
    collection,
    vscode.workspace.onDidOpenTextDocument((document) => look(document, 0)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document, TYPING_MS)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      clearTimeout(waiting.get(uri.toString()));
      waiting.delete(uri.toString());
      collection.delete(uri);
    }),
    {
      dispose: () => {
        for (const timer of waiting.values()) clearTimeout(timer);
      },
    },
  );
}

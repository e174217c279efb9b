import * as vscode from "vscode";
import { CellRunner, type CellRunnerDeps } from "./cell-runner.ts";
import { KeptLogs } from "./kept-logs.ts";
import { keyOf } from "./notebook-data.ts";
import { TraceSerializer } from "./serializer.ts";

/** What reads, writes and runs notebooks. */
export interface Notebooks {
  readonly serializer: TraceSerializer;
  readonly runner: CellRunner;
}

/** Makes them, and lets go of the logs of notebooks that are closed. */
export function makeNotebooks(
  container: CellRunnerDeps & { readonly extension: vscode.ExtensionContext },
): Notebooks {
  const logs = new KeptLogs();
  const use = (): void => {
    const open = vscode.workspace.notebookDocuments.flatMap(({ metadata }) => keyOf(metadata)?.base ?? []);
    logs.use(new Set(open));
  };
  container.extension.subscriptions.push(
    vscode.workspace.onDidOpenNotebookDocument(use),
    vscode.workspace.onDidCloseNotebookDocument(use),
    // A file that changed on disk is read anew into the same notebook.
    vscode.workspace.onDidChangeNotebookDocument(({ metadata }) => {
      if (metadata !== undefined) use();
    }),
  );
  return { serializer: new TraceSerializer(logs), runner: new CellRunner(container, logs) };
}

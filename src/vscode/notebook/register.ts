import * as vscode from "vscode";
import type { Container } from "../container.ts";
import { NOTEBOOK_TYPE, QUESTION_LANGUAGE } from "../contributions.ts";
import { TRANSIENT } from "./transient.ts";

const CONTROLLER_ID = "conclave.currentModel";
const LABEL = "Conclave (current model)";

/** Registers the notebook of traces. The code for it is loaded with the first one. */
export function registerNotebooks(container: Container): vscode.Disposable {
  const serializer: vscode.NotebookSerializer = {
    deserializeNotebook: async (content, token) =>
      (await container.notebooks()).serializer.deserializeNotebook(content, token),
    serializeNotebook: async (data) => (await container.notebooks()).serializer.serializeNotebook(data),
  };
  const controller = vscode.notebooks.createNotebookController(CONTROLLER_ID, NOTEBOOK_TYPE, LABEL);
  controller.supportedLanguages = [QUESTION_LANGUAGE];
  controller.supportsExecutionOrder = true;
  controller.description = "Asks each question as a turn; the cells above it are what was said before";
  controller.executeHandler = async (cells, notebook) =>
    (await container.notebooks()).runner.execute(cells, notebook, controller);
  controller.interruptHandler = async (notebook) => (await container.notebooks()).runner.interrupt(notebook);
  const prefer = (notebook: vscode.NotebookDocument): void => {
    if (notebook.notebookType === NOTEBOOK_TYPE)
      controller.updateNotebookAffinity(notebook, vscode.NotebookControllerAffinity.Preferred);
  };
  vscode.workspace.notebookDocuments.forEach(prefer);
  return vscode.Disposable.from(
    controller,
    vscode.workspace.registerNotebookSerializer(NOTEBOOK_TYPE, serializer, TRANSIENT),
    vscode.workspace.onDidOpenNotebookDocument(prefer),
  );
}

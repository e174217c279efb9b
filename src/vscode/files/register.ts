import * as vscode from "vscode";
import type { Container } from "../container.ts";
import { FILE_VIEWS } from "../contributions.ts";
import type { TraceDocument } from "./trace-editor.ts";

/** Opens trace files for reading. The code for it is loaded with the first one. */
class TraceFiles implements vscode.CustomReadonlyEditorProvider<TraceDocument> {
  private readonly extensionUri: vscode.Uri;

  constructor(extensionUri: vscode.Uri) {
    this.extensionUri = extensionUri;
  }

  async openCustomDocument(uri: vscode.Uri): Promise<TraceDocument> {
    const { TraceDocument: Opened } = await import("./trace-editor.ts");
    return new Opened(uri);
  }

  async resolveCustomEditor(document: TraceDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { showDocument } = await import("./trace-editor.ts");
    showDocument(document, panel, this.extensionUri);
  }
}

/** Registers the editor of trace files: the usual one for `.conclave`, one to choose for `.jsonl`. */
export function registerTraceFiles({ extension }: Container): vscode.Disposable {
  const provider = new TraceFiles(extension.extensionUri);
  const options = { supportsMultipleEditorsPerDocument: true };
  const registered = Object.values(FILE_VIEWS).map((view) =>
    vscode.window.registerCustomEditorProvider(view, provider, options),
  );
  return vscode.Disposable.from(...registered);
}

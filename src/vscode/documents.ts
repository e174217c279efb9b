import * as vscode from "vscode";
import { DOCUMENT_SCHEME } from "./contributions.ts";

/** Documents that are kept for their editors; the oldest leaves first. */
const MAX_DOCUMENTS = 20;

/** Read-only documents that the extension writes: they have no file, and asking again renews them. */
export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(DOCUMENT_SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? "This text is no longer kept. Run the command again.\n";
  }

  /** Sets a document's text and shows it as a rendered preview. `name` is the tab's title, ending in `.md`. */
  async showMarkdown(name: string, text: string): Promise<vscode.Uri> {
    const uri = this.keep(name, text);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
    return uri;
  }

  /** Sets a document's text and shows it as it is. `name` is the tab's title; its ending tells the language. */
  async showText(name: string, text: string): Promise<vscode.Uri> {
    const uri = this.keep(name, text);
    await vscode.window.showTextDocument(uri);
    return uri;
  }

  /** Sets a document's text without showing it; gives its address. `name` is the title of its tab. */
  keep(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: DOCUMENT_SCHEME, path: `/${name}` });
    this.#texts.delete(uri.path);
    this.#texts.set(uri.path, text);
    const oldest = this.#texts.keys().next().value;
    if (this.#texts.size > MAX_DOCUMENTS && oldest !== undefined) this.#texts.delete(oldest);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

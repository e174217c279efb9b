import * as vscode from "vscode";
import { z } from "zod";
import { scopeOf, type NamedScope } from "./scope.ts";

const NAMES_KEY = "conclave.memory.scopeNames";
/** Names that are kept; the oldest leaves first. */
const MAX_NAMES = 500;

const Names = z.record(z.string(), z.string());

/** Knows which folder a question belongs to, and what the folders are called that memories belong to. */
export class Scopes implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #listener: vscode.Disposable;
  #active: string | undefined;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#note(vscode.window.activeTextEditor);
    // The panel and the chat take the focus away from editors: the file before them counts.
    this.#listener = vscode.window.onDidChangeActiveTextEditor((editor) => this.#note(editor));
  }

  /** The folder of the active file, or what stands for it; undefined in a window without a folder. */
  current(): NamedScope | undefined {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const named = folders.map(({ uri, name }) => ({ uri: uri.toString(), name }));
    const scope = scopeOf(named, this.#active);
    if (scope !== undefined) void this.#keepName(scope);
    return scope;
  }

  /** What people call a scope; undefined for one of another machine. */
  nameOf(id: string): string | undefined {
    return id === "" ? "global" : this.#names()[id];
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #note(editor: vscode.TextEditor | undefined): void {
    const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
    if (folder !== undefined) this.#active = folder.uri.toString();
  }

  #names(): Readonly<Record<string, string>> {
    const kept = Names.safeParse(this.#state.get(NAMES_KEY));
    return kept.success ? kept.data : {};
  }

  async #keepName({ id, name }: NamedScope): Promise<void> {
    const names = this.#names();
    if (names[id] === name) return;
    const entries = [...Object.entries(names).filter(([known]) => known !== id), [id, name] as const];
    await this.#state.update(NAMES_KEY, Object.fromEntries(entries.slice(-MAX_NAMES)));
  }
}

import * as vscode from "vscode";
import { editorFiles, inTime, virtualFolder } from "./agents/editor-files.ts";
import type { VirtualFileSystem, VirtualFolder } from "./agents/virtual-files.ts";
import { virtualFolders, WatchedFolders, type WatchedFiles } from "./watched-folders.ts";

/** The files of one kind, once the code that reads them is loaded. */
export interface OpenedDefinitions<Files> {
  readonly files: Files;
  /** Reads ahead what lies in folders that are not on this machine's disk. */
  readonly virtual: { refresh(folders: readonly VirtualFolder[]): Promise<void> };
}

/** Loads the code that reads files of one kind; `onChange` hears that files elsewhere are others than before. */
export type OpenDefinitions<Files> = (
  elsewhere: VirtualFileSystem,
  onChange: () => void,
) => Promise<OpenedDefinitions<Files>>;

/**
 * Files by which users define things, such as agents and rubrics: opened on first use, and watched from the beginning.
 * Says when they, the workspace's folders or its trust have changed.
 */
export class WatchedDefinitions<Files> implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watched: WatchedFolders;
  readonly #open: OpenDefinitions<Files>;
  #virtual: OpenedDefinitions<Files>["virtual"] | undefined;
  #files: Promise<Files> | undefined;

  /** What there is may be something else than before. */
  readonly onDidChange = this.#changed.event;

  constructor(watched: WatchedFiles, open: OpenDefinitions<Files>) {
    this.#open = open;
    this.#watched = new WatchedFolders(watched);
    this.#watched.onDidSave(() => this.#changed.fire());
    this.#watched.onDidChange(() => {
      void this.#virtual?.refresh(virtualFolders().map(virtualFolder));
      this.#changed.fire();
    });
  }

  /** Reads the files; the code for it is loaded with the first call. */
  files(): Promise<Files> {
    this.#files ??= this.#load();
    return this.#files;
  }

  /** To be called when something has changed that is not watched. */
  changed(): void {
    this.#watched.changed();
  }

  dispose(): void {
    for (const one of [this.#watched, this.#changed]) one.dispose();
  }

  async #load(): Promise<Files> {
    const { files, virtual } = await this.#open(editorFiles, () => this.#changed.fire());
    this.#virtual = virtual;
    const first = virtual.refresh(virtualFolders().map(virtualFolder));
    if (virtualFolders().length > 0) await inTime(first);
    return files;
  }
}

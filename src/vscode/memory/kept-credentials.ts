import type * as vscode from "vscode";
import { MEMORY_CREDENTIALS_SECRET } from "../contributions.ts";
import { readStorageOptions, type StorageOptions } from "./credentials.ts";

/** The keys of the object store that the editor's secret store holds, kept at hand. */
export class KeptCredentials implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #listener: vscode.Disposable;
  #options: StorageOptions | undefined;
  #reading: Promise<void> | undefined;

  /** `onChange` is called when they changed, in this window or another. */
  constructor(secrets: vscode.SecretStorage, onChange: () => void) {
    this.#secrets = secrets;
    this.#listener = secrets.onDidChange(({ key }) => {
      if (key !== MEMORY_CREDENTIALS_SECRET) return;
      this.#reading = undefined;
      onChange();
    });
  }

  /** Settles when they are read. Never rejects: without them the environment's count. */
  ready(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** What is kept; undefined when nothing is. */
  options(): StorageOptions | undefined {
    return this.#options;
  }

  dispose(): void {
    this.#listener.dispose();
  }

  async #read(): Promise<void> {
    try {
      this.#options = readStorageOptions(await this.#secrets.get(MEMORY_CREDENTIALS_SECRET));
    } catch {
      this.#options = undefined;
    }
  }
}

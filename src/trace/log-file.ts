import { open, type FileHandle } from "node:fs/promises";
import type { Keeper } from "./file-lock.ts";

/** A log that is appended to. It is open for as long as its lock is kept: opening it anew costs more than writing. */
export class LogFile implements Keeper {
  private readonly path: string;
  private file: FileHandle | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Appends a text; the file is made when it is not there. The caller has the log's lock. Rejects when the disk fails. */
  async append(text: string): Promise<void> {
    try {
      this.file ??= await open(this.path, "a");
      await this.file.appendFile(text, "utf8");
    } catch (error) {
      await this.letGo().catch(() => undefined);
      throw error;
    }
  }

  /** Closes the file: whoever has the lock next may put another one in its place. */
  async letGo(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.close();
  }
}

import { open, type FileHandle } from "node:fs/promises";
import type { Keeper } from "./file-lock.ts";

const NEWLINE = 0x0a;

/** How a log ends as its first lines are appended: it is not there or holds nothing, with a whole line, or half of one. */
export type LogEnd = "absent" | "whole" | "cut";

/** A log that is appended to. It is open for as long as its lock is kept: opening it anew costs more than writing. */
export class LogFile implements Keeper {
  private readonly path: string;
  private file: FileHandle | undefined;
  /** It is known to end with a line feed. */
  private isKnown = false;

  constructor(path: string) {
    this.path = path;
  }

  /** Whether it was appended to. */
  get isWritten(): boolean {
    return this.isKnown;
  }

  /**
   * Appends whole lines; the file is made when it is not there. `before` gives what stands before the first of them, so
   * that none is glued to half of another. The caller has the log's lock. Rejects when the disk fails.
   */
  async append(lines: string, before: (end: LogEnd) => string): Promise<void> {
    try {
      const text = this.isKnown ? lines : before(await this.look()) + lines;
      this.file ??= await open(this.path, "a");
      await this.file.appendFile(text, "utf8");
      this.isKnown = true;
    } catch (error) {
      this.isKnown = false;
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

  /** Opens the file, and says how it ends. Most are new: they are made and opened in one go. */
  private async look(): Promise<LogEnd> {
    try {
      this.file = await open(this.path, "ax");
      return "absent";
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    this.file = await open(this.path, "a+");
    const { size } = await this.file.stat();
    if (size === 0) return "absent";
    const { buffer } = await this.file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === NEWLINE ? "whole" : "cut";
  }
}

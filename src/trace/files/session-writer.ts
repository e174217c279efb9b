import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { TurnEvent } from "../../agent/events.ts";
import { jsonForLog } from "../bounded.ts";
import { underLock } from "../file-lock.ts";
import { lockPath, logPath } from "../log-writer.ts";
import { sessionLine } from "../session-line.ts";

/** About how many characters are written at once. */
const BATCH = 512 * 1024;
/** What the name of a log ends with until all of it is there. */
export const UNFINISHED = ".importing";

/** Writes the log of a whole session beside the others; nobody sees it before it is complete. */
export class SessionWriter {
  private readonly folder: string;
  private readonly sessionId: string;
  private lines: string[];
  private waiting = 0;
  private file: FileHandle | undefined;

  constructor(folder: string, sessionId: string, createdAt: number) {
    this.folder = folder;
    this.sessionId = sessionId;
    this.lines = [sessionLine(sessionId, createdAt)];
  }

  /** Adds an event. Rejects when the disk fails. */
  async add(event: TurnEvent): Promise<void> {
    const line = `${jsonForLog(event)}\n`;
    this.lines.push(line);
    this.waiting += line.length;
    if (this.waiting >= BATCH) await this.write();
  }

  /** Puts the log in its place. Rejects when the disk fails. */
  async finish(): Promise<void> {
    await this.write();
    await this.file?.sync();
    await this.close();
    await underLock(lockPath(this.folder, this.sessionId), () => rename(this.path(), this.target()));
  }

  /** Leaves nothing behind. */
  async abandon(): Promise<void> {
    await this.close();
    await rm(this.path(), { force: true });
  }

  private target(): string {
    return logPath(this.folder, this.sessionId);
  }

  private path(): string {
    return `${this.target()}${UNFINISHED}`;
  }

  private async write(): Promise<void> {
    if (this.file === undefined) {
      await mkdir(dirname(this.path()), { recursive: true });
      this.file = await open(this.path(), "w");
    }
    const text = this.lines.join("");
    this.lines = [];
    this.waiting = 0;
    await this.file.appendFile(text, "utf8");
  }

  private async close(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.close();
  }
}

import { mkdir, open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { SCHEMA_VERSION, type TurnEvent } from "../agent/events.ts";
import { describeError, failure, type Failure } from "../agent/failure.ts";
import { boundForLog } from "./bounded.ts";
import { isSessionId } from "./event-schema.ts";
import { PromptShortener } from "./prompt-chain.ts";

/** At most this many characters wait for the disk; more than that is dropped, and said. */
const MAX_WAITING = 128 * 1024 * 1024;
/** About how much is turned into JSON between two looks at the event loop. */
const BATCH_SIZE = 512 * 1024;
const NEWLINE = 0x0a;
/** Events are gathered for so long before they are written together, in milliseconds. */
const GATHER_MS = 8;
/** A file that nothing was written to for so long is closed, in milliseconds. */
const IDLE_MS = 2_000;

interface Waiting {
  readonly event: TurnEvent;
  readonly size: number;
}

/** The file of a session's log. */
export function logPath(folder: string, sessionId: string): string {
  return join(folder, `${sessionId.toLowerCase()}.jsonl`);
}

/** The first line of a session's log. */
function sessionLine(sessionId: string, createdAt: number): string {
  return `${JSON.stringify({ type: "session", schema: SCHEMA_VERSION, sessionId, createdAt })}\n`;
}

/** Whether a file is there and how it ends, so that a line is never glued to half of another. */
async function inspect(path: string): Promise<"absent" | "whole" | "cut"> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size === 0) return "absent";
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      return buffer[0] === NEWLINE ? "whole" : "cut";
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "absent";
    throw error;
  }
}

/**
 * Appends events to the files of their sessions: `add` only queues, everything else happens a moment later, in order
 * and together. A disk that fails costs the batch, is told once, and is tried again with the next batch.
 */
export class LogWriter {
  private readonly folder: string;
  private readonly onError: (failure: Failure) => void;
  private readonly prompts = new PromptShortener();
  private queue: Waiting[] = [];
  private waiting = 0;
  private draining: Promise<void> | undefined;
  /** Ends the gathering of events at once. */
  private hurry: () => void = () => undefined;
  /** Sessions whose file is known to end with a line feed. */
  private readonly ready = new Set<string>();
  private troubled = false;
  /** The file written to last stays open for a moment: a turn adds to it some hundred times. */
  private current: { readonly sessionId: string; readonly file: FileHandle } | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(folder: string, onError: (failure: Failure) => void) {
    this.folder = folder;
    this.onError = onError;
  }

  /** Queues an event. Never blocks and never throws. */
  add(event: TurnEvent): void {
    if (!isSessionId(event.sessionId)) {
      this.report("a session without a valid id", undefined);
      return;
    }
    const { value, size } = boundForLog(this.prompts.shorten(event));
    if (this.waiting + size > MAX_WAITING) {
      this.prompts.forget(event.sessionId);
      this.report("the disk is too slow, events were left out", undefined);
      return;
    }
    this.queue.push({ event: value, size });
    this.waiting += size;
    this.draining ??= this.drain();
  }

  /** Resolves when all that was added before is written, or was reported as lost. */
  async flush(): Promise<void> {
    while (this.draining !== undefined) {
      this.hurry();
      await this.draining;
    }
  }

  /** Lets go of a session's file before it is deleted. */
  async forget(sessionId: string): Promise<void> {
    this.ready.delete(sessionId);
    this.prompts.forget(sessionId);
    if (this.current?.sessionId === sessionId) await this.close();
  }

  /** Closes the file that is open, if any. What was added before `flush` is written by then. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { current } = this;
    this.current = undefined;
    try {
      await current?.file.close();
    } catch (error) {
      this.report(describeError(error), error);
    }
  }

  private async drain(): Promise<void> {
    await this.gather();
    while (this.queue.length > 0) await this.writeBatch(this.takeBatch());
    this.draining = undefined;
  }

  /** Lets more events come, unless someone waits for the disk. */
  private gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private takeBatch(): readonly Waiting[] {
    let size = 0;
    let count = 0;
    for (const item of this.queue) {
      if (count > 0 && size + item.size > BATCH_SIZE) break;
      size += item.size;
      count += 1;
    }
    const batch = this.queue.slice(0, count);
    this.queue = this.queue.slice(count);
    this.waiting -= size;
    return batch;
  }

  private async writeBatch(batch: readonly Waiting[]): Promise<void> {
    const bySession = new Map<string, TurnEvent[]>();
    for (const { event } of batch) {
      const known = bySession.get(event.sessionId);
      if (known === undefined) bySession.set(event.sessionId, [event]);
      else known.push(event);
    }
    for (const [sessionId, events] of bySession) {
      try {
        await this.write(sessionId, events);
        this.troubled = false;
      } catch (error) {
        this.ready.delete(sessionId);
        this.prompts.forget(sessionId);
        this.report(describeError(error), error);
      }
    }
  }

  private async write(sessionId: string, events: readonly TurnEvent[]): Promise<void> {
    const path = logPath(this.folder, sessionId);
    let text = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    if (!this.ready.has(sessionId)) {
      const state = await inspect(path);
      if (state === "absent") text = sessionLine(sessionId, events[0]?.time ?? 0) + text;
      else if (state === "cut") text = `\n${text}`;
    }
    const file = await this.fileOf(sessionId, path);
    await file.appendFile(text, "utf8");
    this.ready.add(sessionId);
    this.idle = setTimeout(() => void this.closeWhenIdle(), IDLE_MS).unref();
  }

  private async fileOf(sessionId: string, path: string): Promise<FileHandle> {
    clearTimeout(this.idle);
    if (this.current?.sessionId === sessionId && this.ready.has(sessionId)) return this.current.file;
    await this.close();
    const file = await this.openFile(path);
    this.current = { sessionId, file };
    return file;
  }

  private async openFile(path: string): Promise<FileHandle> {
    try {
      return await open(path, "a");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      await mkdir(this.folder, { recursive: true });
      return await open(path, "a");
    }
  }

  private async closeWhenIdle(): Promise<void> {
    if (this.draining === undefined) await this.close();
  }

  private report(reason: string, cause: unknown): void {
    if (this.troubled) return;
    this.troubled = true;
    this.onError(
      failure("internal", `The trace can't be written: ${reason}. The turn goes on, but will not be kept.`, {
        ...(cause === undefined ? {} : { cause: describeError(cause) }),
      }),
    );
  }
}

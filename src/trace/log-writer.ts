import { join } from "node:path";
import type { TurnEvent } from "../agent/events.ts";
import { describeError, failure, type Failure } from "../agent/failure.ts";
import { inSpareTime } from "../agent/spare-time.ts";
import { eventLine } from "./event-line.ts";
import { isSessionId } from "./event-schema.ts";
import { giveBackLock, underLock } from "./file-lock.ts";
import { LogFile, type LogEnd } from "./log-file.ts";
import { PromptShortener } from "./prompt-chain.ts";
import { sessionLine } from "./session-line.ts";

/** At most this many characters wait for the disk; more than that is dropped, and said. */
const MAX_WAITING = 256 * 1024 * 1024;
/** About how many characters are written at once. */
const BATCH_SIZE = 512 * 1024;
/**
 * Events are gathered for so long before they are written together, in milliseconds: at least, where a moment comes in
 * which nobody waits for us, and at most.
 */
const GATHER_MS = 16;
const GATHER_AT_MOST_MS = 64;
/** For so long the lock of a log is kept while a turn runs, in milliseconds: another window waits no longer. */
const KEEP_LOCK_MS = 200;

/** An event as its line, without the line feed. */
interface Waiting {
  readonly sessionId: string;
  readonly time: number;
  readonly line: string;
}

/** The file of a session's log. */
export function logPath(folder: string, sessionId: string): string {
  return join(folder, `${sessionId.toLowerCase()}.jsonl`);
}

/** The lock that everyone takes who writes to a session's log or to its index. */
export function lockPath(folder: string, sessionId: string): string {
  return `${logPath(folder, sessionId)}.lock`;
}

/**
 * Appends events to the files of their sessions: `add` only queues, everything else happens a moment later, in order
 * and together. A disk that fails costs the batch, is told once, and is tried again with the next batch.
 */
export class LogWriter {
  private readonly folder: string;
  private readonly onError: (failure: Failure) => void;
  private readonly prompts = new PromptShortener();
  /** What was just added. It becomes lines while the model's next answer is awaited. */
  private fresh: TurnEvent[] = [];
  private queue: Waiting[] = [];
  private waiting = 0;
  private draining: Promise<void> | undefined;
  /** Ends the gathering of events at once. */
  private hurry: () => void = () => undefined;
  /** From when on a good moment ends it, by `performance.now()`. */
  private gatheredAt = 0;
  /** The files of sessions that were written to. */
  private readonly files = new Map<string, LogFile>();
  /** Sessions whose lock may still be kept. */
  private readonly locked = new Set<string>();
  private givingBack: Promise<unknown> = Promise.resolve();
  private troubled = false;

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
    if (this.fresh.length === 0) inSpareTime(() => this.useSpareTime());
    this.fresh.push(event);
    this.draining ??= this.drain();
  }

  /**
   * Resolves when all that was added before is written, or was reported as lost. Locks and files that were kept are given
   * back from then on; nobody waits for that but `close` and who wants the lock.
   */
  async flush(): Promise<void> {
    while (this.draining !== undefined) {
      this.hurry();
      await this.draining;
    }
    const locked = [...this.locked];
    this.locked.clear();
    const given = locked.map((sessionId) => giveBackLock(lockPath(this.folder, sessionId)));
    this.givingBack = Promise.all([this.givingBack, ...given]);
  }

  /** Resolves when all is written, and nothing is open or locked any more. */
  async close(): Promise<void> {
    await this.flush();
    await this.givingBack;
  }

  /** Whether this window has written to a session's log, and nobody has said since that it is another one. */
  has(sessionId: string): boolean {
    return this.files.get(sessionId)?.isWritten === true;
  }

  /** A session's log is written anew or deleted: nothing is known of its file any more. */
  forget(sessionId: string): void {
    this.files.delete(sessionId);
    this.prompts.forget(sessionId);
  }

  private useSpareTime(): void {
    this.takeFresh();
    if (performance.now() >= this.gatheredAt) this.hurry();
  }

  private takeFresh(): void {
    const events = this.fresh;
    this.fresh = [];
    for (const event of events) this.enqueue(event);
  }

  private enqueue(event: TurnEvent): void {
    const { sessionId, time } = event;
    const line = eventLine(this.prompts.shorten(event));
    if (this.waiting + line.length > MAX_WAITING) {
      this.prompts.forget(sessionId);
      this.report("the disk is too slow, events were left out", undefined);
      return;
    }
    this.queue.push({ sessionId, time, line });
    this.waiting += line.length;
  }

  private async drain(): Promise<void> {
    await this.gather();
    this.takeFresh();
    while (this.queue.length > 0) {
      await this.writeBatch(this.takeBatch());
      this.takeFresh();
    }
    this.draining = undefined;
  }

  /** Lets more events come, unless someone waits for the disk. */
  private gather(): Promise<void> {
    this.gatheredAt = performance.now() + GATHER_MS;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_AT_MOST_MS);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private takeBatch(): readonly Waiting[] {
    let size = 0;
    let count = 0;
    for (const { line } of this.queue) {
      if (count > 0 && size + line.length > BATCH_SIZE) break;
      size += line.length;
      count += 1;
    }
    const batch = this.queue.slice(0, count);
    this.queue = this.queue.slice(count);
    this.waiting -= size;
    return batch;
  }

  private async writeBatch(batch: readonly Waiting[]): Promise<void> {
    const bySession = new Map<string, Waiting[]>();
    for (const item of batch) {
      const known = bySession.get(item.sessionId);
      if (known === undefined) bySession.set(item.sessionId, [item]);
      else known.push(item);
    }
    await Promise.all([...bySession].map(([sessionId, items]) => this.tryToWrite(sessionId, items)));
  }

  private async tryToWrite(sessionId: string, items: readonly Waiting[]): Promise<void> {
    try {
      await this.write(sessionId, items);
      this.troubled = false;
    } catch (error) {
      this.forget(sessionId);
      this.report(describeError(error), error);
    }
  }

  /** The file is open for as long as the lock is kept: longer, and it might write to one that another window replaced. */
  private async write(sessionId: string, items: readonly Waiting[]): Promise<void> {
    this.locked.add(sessionId);
    const path = logPath(this.folder, sessionId);
    const file = this.files.get(sessionId) ?? new LogFile(path);
    this.files.set(sessionId, file);
    const before = (end: LogEnd): string =>
      end === "absent" ? sessionLine(sessionId, items[0]?.time ?? 0) : end === "cut" ? "\n" : "";
    const append = (): Promise<void> => file.append(items.map(({ line }) => `${line}\n`).join(""), before);
    await underLock(lockPath(this.folder, sessionId), append, { keepMs: KEEP_LOCK_MS, keeper: file });
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

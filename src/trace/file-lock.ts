import { mkdir, open, rename, rm, stat, unlink, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { randomUUID } from "node:crypto";

/** A holder that has not touched its lock for so long is dead, in milliseconds. */
const STALE_MS = 10_000;
const TOUCH_MS = 2_000;
const RETRY_MS = 5;
/** How long another holder is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

/*
 * A file as a lock: making one that must be new is atomic, and a second window fails at it. A folder would do as well,
 * but to make one and take it away costs nine times as much. Libraries for this take hold of the signals of the
 * process, which is not ours alone: all extensions live in it.
 */

function code(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Tries once: true when the lock is ours now. */
async function take(path: string): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    // That it is there is all that counts: nobody waits until it is closed.
    file.close().catch(() => undefined);
    return true;
  } catch (error) {
    // Windows says EPERM while a file of that name is still on its way out.
    if (code(error) === "EEXIST" || code(error) === "EPERM") return false;
    if (code(error) !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true });
    return false;
  }
}

/** Clears away the lock of a dead holder. Moved aside first: of two windows that see it dead, one moves it. */
async function clearStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || Date.now() - found.mtimeMs < STALE_MS) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    await rm(aside, { recursive: true });
  } catch {
    // Somebody else was faster.
  }
}

/** Who keeps something open while a lock is kept. */
export interface Keeper {
  /** Closes it: somebody else is to work under the lock, or the lock is given back. */
  letGo(): Promise<void>;
}

/** How a lock is kept for works to come. */
export interface Keeping {
  /** How long it may be kept after it was taken, in milliseconds. */
  readonly keepMs: number;
  /** Told when it is over, at the latest. */
  readonly keeper?: Keeper;
}

/** After so long, by the clock, a lock may have been taken for dead meanwhile: the machine may have slept. */
const DOUBTFUL_MS = STALE_MS / 2;

/** A lock as this process has it: works on it come one after the other, and share one hold where they may. */
class Hold {
  private readonly path: string;
  private readonly onIdle: () => void;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** Until when it may be kept without work, by `performance.now()`; undefined while it isn't ours. */
  private keptUntil: number | undefined;
  /** When it was taken, by the clock. */
  private takenAt = 0;
  private keeper: Keeper | undefined;
  private touching: NodeJS.Timeout | undefined;
  private ending: NodeJS.Timeout | undefined;

  constructor(path: string, onIdle: () => void) {
    this.path = path;
    this.onIdle = onIdle;
  }

  run<T>(work: () => Promise<T>, { keepMs, keeper }: Keeping): Promise<T> {
    this.waiting += 1;
    clearTimeout(this.ending);
    const result = this.last.then(async () => {
      try {
        if (keeper !== this.keeper || this.isDoubtful()) await this.letGo();
        if (this.keptUntil === undefined) await this.acquire(keepMs);
        this.keeper = keeper;
        return await work();
      } finally {
        await this.afterwards();
      }
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Gives the lock back once the works that wait are done. */
  async giveBack(): Promise<void> {
    clearTimeout(this.ending);
    this.last = this.last.then(() => this.release());
    await this.last;
  }

  private async acquire(keepMs: number): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await take(this.path))) {
      if (performance.now() > deadline) throw new Error("another window keeps the trace busy");
      await clearStale(this.path);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    this.keptUntil = performance.now() + keepMs;
    this.takenAt = Date.now();
    this.touching = setInterval(() => {
      const now = new Date();
      utimes(this.path, now, now).catch(() => undefined);
    }, TOUCH_MS);
    this.touching.unref();
  }

  private async afterwards(): Promise<void> {
    this.waiting -= 1;
    const left = (this.keptUntil ?? 0) - performance.now();
    if (left <= 0) await this.release();
    else if (this.waiting === 0) this.ending = setTimeout(() => void this.giveBack(), left);
  }

  private isDoubtful(): boolean {
    return Math.abs(Date.now() - this.takenAt) > DOUBTFUL_MS;
  }

  private async letGo(): Promise<void> {
    const { keeper } = this;
    this.keeper = undefined;
    await keeper?.letGo().catch(() => undefined);
  }

  private async release(): Promise<void> {
    if (this.keptUntil !== undefined) {
      await this.letGo();
      clearInterval(this.touching);
      this.keptUntil = undefined;
      await unlink(this.path).catch(() => undefined);
    }
    if (this.waiting === 0) this.onIdle();
  }
}

const holds = new Map<string, Hold>();

/**
 * Does work that one process of this machine may do at a time; `path` names the lock and its folder is made when
 * needed. Works of this process on one lock are done in the order of their calls. Rejects with what the work rejects
 * with, or when another holder keeps the lock for a minute.
 *
 * @param keeping how the lock is kept, so that the works that follow needn't take it again; left out: it is not
 */
export function underLock<T>(
  path: string,
  work: () => Promise<T>,
  keeping: Keeping = { keepMs: 0 },
): Promise<T> {
  let hold = holds.get(path);
  if (hold === undefined) {
    hold = new Hold(path, () => holds.delete(path));
    holds.set(path, hold);
  }
  return hold.run(work, keeping);
}

/** Gives back a lock that is kept for works to come; resolves at once when there is none. */
export async function giveBackLock(path: string): Promise<void> {
  await holds.get(path)?.giveBack();
}

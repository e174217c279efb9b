import { mkdir, rename, rmdir, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { randomUUID } from "node:crypto";

/** A holder that has not touched its lock for so long is dead, in milliseconds. */
const STALE_MS = 10_000;
const TOUCH_MS = 2_000;
const RETRY_MS = 5;
/** How long another holder is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

/*
 * A folder as a lock: making one is atomic everywhere, and a second window fails at it. Libraries for this take hold
 * of the signals of the process, which is not ours alone: all extensions live in it.
 */

function code(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Tries once: true when the lock is ours now. */
async function take(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    // Windows says EPERM while a folder of that name is still on its way out.
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
    await rmdir(aside);
  } catch {
    // Somebody else was faster.
  }
}

/**
 * Does work that one process of this machine may do at a time; `path` names the lock and its folder is made when
 * needed. Rejects with what the work rejects with, or when another holder keeps the lock for a minute.
 */
export async function underLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await take(path))) {
    if (performance.now() > deadline) throw new Error("another window keeps the trace busy");
    await clearStale(path);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  const touching = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, TOUCH_MS);
  touching.unref();
  try {
    return await work();
  } finally {
    clearInterval(touching);
    await rmdir(path).catch(() => undefined);
  }
}

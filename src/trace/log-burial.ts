import { readdir } from "node:fs/promises";
import type { Burial } from "./burial.ts";
import { isSessionId } from "./event-schema.ts";
import { underLock } from "./file-lock.ts";
import { readLines } from "./lines.ts";
import { lookThrough, rewriteLog } from "./log-rewrite.ts";
import { lockPath, logPath } from "./log-writer.ts";

/** What looks like an id of a turn or a memory. */
const ID = /[0-9a-f][0-9a-f-]{30,34}[0-9a-f]/gi;

/** The sessions that have a log in a folder; none where the folder is missing. */
export async function loggedSessions(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length))
    .filter(isSessionId);
}

/** Whether a line may hold something of what is buried: a quick look that never misses what a slow one would find. */
function concerns(line: string, burial: Burial, parts: readonly string[]): boolean {
  for (const [id] of line.matchAll(ID)) if (burial.turnIds.has(id) || burial.memoryIds.has(id)) return true;
  return parts.some((part) => line.includes(part)) || burial.mayConcern(line);
}

async function isConcerned(path: string, burial: Burial): Promise<boolean> {
  const parts = burial.said.parts.map((part) => JSON.stringify(part).slice(1, -1));
  for await (const { text } of readLines(path))
    if (text !== undefined && concerns(text, burial, parts)) return true;
  return false;
}

async function unlessMissing<T>(work: Promise<T>, missing: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return missing;
    throw error;
  }
}

/**
 * Takes out of all logs of a folder what is buried. Each log is written anew as a whole, under its lock, so that other
 * windows may go on writing. Rejects when the disk fails; logs that were done stay done, and doing it again is safe.
 *
 * @param onRewritten is told of each log that was written anew, while its lock is still held
 */
export async function buryInFolder(
  folder: string,
  burial: Burial,
  onRewritten: (sessionId: string) => Promise<void>,
): Promise<void> {
  const sessions = await loggedSessions(folder);
  const named = sessions.filter((sessionId) => burial.sessionIds.has(sessionId.toLowerCase()));
  // What their turns said is looked for in all logs: so it has to be known first.
  for (const sessionId of named)
    await unlessMissing(lookThrough(logPath(folder, sessionId), burial), undefined);
  for (const sessionId of sessions) {
    const path = logPath(folder, sessionId);
    const concerned = named.includes(sessionId) || (await unlessMissing(isConcerned(path, burial), false));
    if (!concerned) continue;
    await underLock(lockPath(folder, sessionId), async () => {
      if (await unlessMissing(rewriteLog(path, burial, sessionId), false)) await onRewritten(sessionId);
    });
  }
}

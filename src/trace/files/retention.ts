import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isSessionId } from "../event-schema.ts";
import { loggedSessions } from "../log-burial.ts";
import { lockPath, logPath } from "../log-writer.ts";
import { UNFINISHED } from "./session-writer.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MB = 1024 * 1024;
/** What was written to so lately may be in use in another window, in milliseconds. */
const FRESH_MS = 60 * 60_000;
/** What an import or a rewriting left that never ended is cleared away after so long, in milliseconds. */
const LEFTOVER_MS = DAY_MS;

/** How long and how much is kept. 0: for ever, and without a limit. */
export interface Retention {
  readonly keepDays: number;
  readonly maxSizeMb: number;
}

/** A log as it lies on the disk. */
export interface StoredLog {
  readonly sessionId: string;
  /** When it was last written to, in milliseconds since the epoch. */
  readonly updatedAt: number;
  /** In bytes. */
  readonly size: number;
}

/** A log that goes, and why. */
export interface ToSweep extends StoredLog {
  readonly why: "age" | "size";
}

/**
 * Which logs go: those that are too old, then the oldest until the rest has room. What was written to in the last hour
 * stays.
 *
 * @param isKept says of a session that it stays whatever it takes: it is open, or it runs
 */
export function whatGoes(
  logs: readonly StoredLog[],
  { keepDays, maxSizeMb }: Retention,
  now: number,
  isKept: (sessionId: string) => boolean,
): readonly ToSweep[] {
  const oldestFirst = [...logs].sort((one, other) => one.updatedAt - other.updatedAt);
  const going: ToSweep[] = [];
  let total = logs.reduce((sum, { size }) => sum + size, 0);
  for (const log of oldestFirst) {
    const isOld = keepDays > 0 && now - log.updatedAt > keepDays * DAY_MS;
    const isTooMuch = maxSizeMb > 0 && total > maxSizeMb * MB;
    const isFresh = now - log.updatedAt < FRESH_MS;
    if ((!isOld && !isTooMuch) || isFresh || isKept(log.sessionId)) continue;
    going.push({ ...log, why: isOld ? "age" : "size" });
    total -= log.size;
  }
  return going;
}

/** The logs of a folder with what they take, their indexes included. Rejects when it can't be read. */
export async function storedLogs(folder: string): Promise<readonly StoredLog[]> {
  const found: StoredLog[] = [];
  for (const sessionId of await loggedSessions(folder)) {
    const log = await stat(logPath(folder, sessionId)).catch(() => undefined);
    if (log?.isFile() !== true) continue;
    const index = await stat(join(folder, "index", `${sessionId.toLowerCase()}.json`)).catch(() => undefined);
    found.push({ sessionId, updatedAt: log.mtimeMs, size: log.size + (index?.size ?? 0) });
  }
  return found;
}

/** Whether somebody writes to a log at this moment; a lock that was long not touched was left by a window that is gone. */
export async function isLocked(folder: string, sessionId: string, now: number): Promise<boolean> {
  const lock = await stat(lockPath(folder, sessionId)).catch(() => undefined);
  return lock !== undefined && now - lock.mtimeMs < FRESH_MS;
}

/** Whether a log was written to since then. */
export async function hasChanged(folder: string, { sessionId, updatedAt }: StoredLog): Promise<boolean> {
  const log = await stat(logPath(folder, sessionId)).catch(() => undefined);
  return log === undefined || log.mtimeMs !== updatedAt;
}

/** Clears away what imports and rewritings left that never ended, and indexes whose log is gone. */
export async function clearLeftovers(folder: string, now: number): Promise<void> {
  await clearUnfinished(folder, now);
  await clearUnfinished(join(folder, "index"), now);
  const logs = new Set((await loggedSessions(folder).catch(() => [])).map((id) => id.toLowerCase()));
  for (const name of await readdir(join(folder, "index")).catch(() => [])) {
    const sessionId = name.replace(/\.json$/, "");
    if (isSessionId(sessionId) && !logs.has(sessionId))
      await rm(join(folder, "index", name), { force: true });
  }
}

/** What the name of a log or an index ends with while it is written. */
const UNDER_WAY: readonly string[] = [UNFINISHED, ".jsonl.tmp", ".json.tmp"];

async function clearUnfinished(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => UNDER_WAY.some((ending) => one.endsWith(ending)))) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() === true && now - found.mtimeMs > LEFTOVER_MS)
      await rm(join(folder, name), { force: true });
  }
}

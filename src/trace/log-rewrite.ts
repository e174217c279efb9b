import { open, rename, rm, type FileHandle } from "node:fs/promises";
import type { Burial } from "./burial.ts";
import { readLines } from "./lines.ts";
import { parseLine } from "./parse-line.ts";

/** About how many characters are written at once. */
const BATCH_SIZE = 512 * 1024;
const MAX_TRIES = 20;
const TRY_AGAIN_MS = 50;

/** Notes what a log says that has to go. Rejects when it can't be read. */
export async function lookThrough(path: string, burial: Burial): Promise<void> {
  for await (const { text } of readLines(path)) {
    const event = text === undefined ? undefined : parseLine(text);
    if (event !== undefined) burial.look(event);
  }
}

/** A line as the log of a session goes on to hold it; undefined for one that goes. */
export function buriedLine(text: string | undefined, burial: Burial, sessionId: string): string | undefined {
  const event = text === undefined ? undefined : parseLine(text);
  // What can't be read can't be shown to hold nothing of it.
  if (event === undefined || text === undefined) return undefined;
  if (event["type"] === "session") {
    const before = typeof event["rewritten"] === "number" ? event["rewritten"] : 0;
    return JSON.stringify({ ...event, rewritten: Math.max(burial.time, before + 1) });
  }
  const buried = burial.bury(event, sessionId);
  return buried === event ? text : JSON.stringify(buried);
}

/**
 * Writes the log of a session anew without what is buried, in place of the old one: whole or not at all. The caller holds the log's
 * lock. Gives false when nothing had to go. Rejects when the disk fails; the log is as it was then.
 */
export async function rewriteLog(path: string, burial: Burial, sessionId: string): Promise<boolean> {
  await lookThrough(path, burial);
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, "w");
    let changed = false;
    try {
      changed = await copy({ path, file, burial, sessionId });
      if (changed) await file.sync();
    } finally {
      await file.close();
    }
    if (changed) await replace(temporary, path);
    return changed;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Windows lets nobody replace a file while somebody reads it: that takes moments only. */
async function replace(temporary: string, path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(temporary, path);
      return;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (tries === MAX_TRIES || !["EPERM", "EACCES", "EBUSY"].includes(code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}

interface Copy {
  readonly path: string;
  readonly file: FileHandle;
  readonly burial: Burial;
  readonly sessionId: string;
}

/** Gives whether anything was left out. */
async function copy({ path, file, burial, sessionId }: Copy): Promise<boolean> {
  let changed = false;
  let batch = "";
  for await (const { text } of readLines(path)) {
    const line = buriedLine(text, burial, sessionId);
    if (line === undefined) continue;
    changed ||= line !== text && !line.startsWith('{"type":"session"');
    batch += `${line}\n`;
    if (batch.length < BATCH_SIZE) continue;
    await file.appendFile(batch, "utf8");
    batch = "";
  }
  await file.appendFile(batch, "utf8");
  return changed;
}

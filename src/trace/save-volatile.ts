import { appendFile } from "node:fs/promises";
import { underLock } from "./file-lock.ts";
import { lockPath, logPath } from "./log-writer.ts";
import type { VolatileLog } from "./volatile-log.ts";

/**
 * Writes a private session to the disk and lets go of it in the window. Rejects when the disk fails: then it
 * stays private.
 */
export async function saveVolatile(folder: string, volatile: VolatileLog, sessionId: string): Promise<void> {
  await underLock(lockPath(folder, sessionId), async () => {
    let written = 0;
    // What comes while the file is written is written too: it leaves the window's memory only when all is there.
    for (;;) {
      const lines = volatile.savedLines(sessionId).slice(written);
      if (lines.length === 0) break;
      const text = lines.map((line) => `${line}\n`).join("");
      await appendFile(logPath(folder, sessionId), text, "utf8");
      written += lines.length;
    }
    volatile.end(sessionId);
  });
}

import { open } from "node:fs/promises";
import { SCHEMA_VERSION } from "../agent/events.ts";
import { parseSessionLine } from "./event-schema.ts";

/** More than the first line of a log ever takes. */
const HEAD_BYTES = 1_024;

/** The first line of a session's log, with its line feed. */
export function sessionLine(sessionId: string, createdAt: number): string {
  return `${JSON.stringify({ type: "session", schema: SCHEMA_VERSION, sessionId, createdAt })}\n`;
}

/** A log as it stands on disk. */
export interface LogState {
  /** In bytes. */
  readonly size: number;
  /** When texts were last taken out of it, 0 when never: what was read of it before that counts no more. */
  readonly rewritten: number;
}

/** Reads how a log stands. Rejects when the file can't be read. */
export async function logState(path: string): Promise<LogState> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [first = ""] = buffer.toString("utf8", 0, bytesRead).split("\n", 1);
    return { size, rewritten: rewrittenIn(first) };
  } finally {
    await file.close();
  }
}

function rewrittenIn(line: string): number {
  try {
    return parseSessionLine(JSON.parse(line))?.rewritten ?? 0;
  } catch {
    // Damaged, or no log of ours: then nobody has rewritten it either.
    return 0;
  }
}

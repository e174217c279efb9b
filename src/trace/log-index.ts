import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { SCHEMA_VERSION } from "../agent/events.ts";
import { underLock } from "./file-lock.ts";
import { readLogFile } from "./log-reader.ts";
import { lockPath, logPath } from "./log-writer.ts";
import { logState, type LogState } from "./session-line.ts";
import { applySummary, type SummaryRows, type TurnSummary } from "./summary.ts";

/** Raised whenever the shape of `TurnSummary` changes: older indexes are then made anew. */
const INDEX_VERSION = 4;
const MAX_CACHED = 200;
/** A log that grew by less than this is read again instead of writing its index anew. */
const WRITE_AFTER_BYTES = 64 * 1024;

const rowSchema = z.object({
  sessionId: z.string(),
  turnId: z.string(),
  parentTurnId: z.string().nullable(),
  time: z.number(),
  agent: z.string(),
  door: z.string(),
  question: z.string(),
  answer: z.string(),
  thinking: z.boolean(),
  toolCalls: z.number(),
  tools: z.array(z.string()).readonly(),
  agents: z.array(z.string()).readonly(),
  model: z.string(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  durationMs: z.number().nullable(),
  status: z.enum(["running", "answered", "failed", "cancelled", "interrupted"]),
  error: z.string().nullable(),
  grade: z.number().nullable(),
  feedback: z.enum(["up", "down"]).nullable(),
  corrected: z.literal(true).exactOptional(),
  compared: z.enum(["A", "B", "tie"]).exactOptional(),
  forgotten: z.number().exactOptional(),
  fork: z.string().exactOptional(),
  forkAt: z.string().exactOptional(),
  imported: z.string().exactOptional(),
});
const indexSchema = z.object({
  version: z.literal(INDEX_VERSION),
  schema: z.literal(SCHEMA_VERSION),
  end: z.number().nonnegative(),
  rewritten: z.number(),
  createdAt: z.number(),
  rows: z.array(rowSchema),
});

interface SessionIndex {
  /** How far the log was read, in bytes. */
  readonly end: number;
  /** Which writing of the log it was, as `LogState` says it. */
  readonly rewritten: number;
  readonly createdAt: number;
  readonly rows: SummaryRows;
}

/**
 * The rows of each session, kept beside the logs so that a list opens without reading them: only what was appended
 * since is read. An index is a cache: a broken or missing one is made again from its log.
 */
export class LogIndex {
  private readonly folder: string;
  private readonly cached = new Map<string, SessionIndex>();
  private readonly indexed = new Map<string, number>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The rows of a session, oldest first, and when it began. Rejects when its log can't be read. */
  async load(
    sessionId: string,
  ): Promise<{ readonly createdAt: number; readonly rows: readonly TurnSummary[] }> {
    const path = logPath(this.folder, sessionId);
    const state = await logState(path);
    const known = await this.known(sessionId, state);
    const index = known.end === state.size ? known : await this.extend(path, known);
    this.remember(sessionId, index);
    if (index.end - (this.indexed.get(sessionId) ?? 0) >= WRITE_AFTER_BYTES)
      await this.save(sessionId, index);
    return { createdAt: index.createdAt, rows: [...index.rows.values()] };
  }

  /** Drops what is known of a session. */
  async forget(sessionId: string): Promise<void> {
    this.cached.delete(sessionId);
    this.indexed.delete(sessionId);
    await rm(this.path(sessionId), { force: true });
    // Left by a window that was killed while it wrote.
    await rm(`${this.path(sessionId)}.tmp`, { force: true });
  }

  private async known(sessionId: string, { size, rewritten }: LogState): Promise<SessionIndex> {
    const found = this.cached.get(sessionId) ?? (await this.readIndex(sessionId));
    // A shorter log is another log, and so is one that was written anew: its index says nothing about it.
    const holds = found !== undefined && found.end <= size && found.rewritten === rewritten;
    return holds ? found : { end: 0, rewritten, createdAt: 0, rows: new Map() };
  }

  private async extend(path: string, known: SessionIndex): Promise<SessionIndex> {
    const rows: SummaryRows = new Map(known.rows);
    let { end, createdAt } = known;
    for await (const read of readLogFile(path, known.end)) {
      end = read.end;
      if (read.item.type === "session") createdAt = read.item.session.createdAt;
      else if (read.item.type === "event") applySummary(rows, read.item.event);
    }
    return { end, rewritten: known.rewritten, createdAt, rows };
  }

  private remember(sessionId: string, index: SessionIndex): void {
    this.cached.delete(sessionId);
    this.cached.set(sessionId, index);
    const oldest = this.cached.keys().next();
    if (this.cached.size > MAX_CACHED && oldest.done !== true) this.cached.delete(oldest.value);
  }

  private path(sessionId: string): string {
    return join(this.folder, "index", `${sessionId.toLowerCase()}.json`);
  }

  private async readIndex(sessionId: string): Promise<SessionIndex | undefined> {
    try {
      const parsed = indexSchema.safeParse(JSON.parse(await readFile(this.path(sessionId), "utf8")));
      if (!parsed.success) return undefined;
      this.indexed.set(sessionId, parsed.data.end);
      return { ...parsed.data, rows: new Map(parsed.data.rows.map((row) => [row.turnId, row])) };
    } catch {
      return undefined;
    }
  }

  /** A failed write costs a slower list next time and nothing else. */
  private async save(sessionId: string, index: SessionIndex): Promise<void> {
    const path = this.path(sessionId);
    const temporary = `${path}.tmp`;
    const data = { version: INDEX_VERSION, schema: SCHEMA_VERSION, ...index, rows: [...index.rows.values()] };
    try {
      await underLock(lockPath(this.folder, sessionId), async () => {
        // What was forgotten meanwhile must not come back by way of the index.
        const { rewritten } = await logState(logPath(this.folder, sessionId));
        if (rewritten !== index.rewritten) return;
        await mkdir(join(this.folder, "index"), { recursive: true });
        await writeFile(temporary, JSON.stringify(data), "utf8");
        await rename(temporary, path);
        this.indexed.set(sessionId, index.end);
      });
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }
}

import { readdir, rm, stat } from "node:fs/promises";
import type { TurnEvent } from "../agent/events.ts";
import { describeError, failed, success, type Failure, type Result } from "../agent/failure.ts";
import { UNKNOWN_PARENT, type HistoryPort, type PastTurn } from "../agent/history-port.ts";
import type { ChatMessage } from "../agent/models/types.ts";
import { isSessionId } from "./event-schema.ts";
import { LogIndex } from "./log-index.ts";
import { readLogFile, type LogItem } from "./log-reader.ts";
import { LogWriter, logPath } from "./log-writer.ts";
import type { TurnSummary } from "./summary.ts";

/** A session as one row of a list. */
export interface SessionSummary {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Its first question, on one line; empty when nothing was asked yet. */
  readonly title: string;
  readonly turns: number;
}

/** One page of sessions, newest first. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  readonly total: number;
}

/** How a trace log is set up. */
export interface TraceLogOptions {
  /** Where the logs are; made when needed. */
  readonly folder: string;
  /** Told once when writing starts to fail; the turn goes on. */
  readonly onError?: (failure: Failure) => void;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function unreadable(error: unknown): { readonly ok: false; readonly failure: Failure } {
  return failed("internal", "The trace can't be read.", { cause: describeError(error) });
}

/** Thinking stays within the loop of its own turn: a later turn never sees it. */
function withoutThinking(message: ChatMessage): ChatMessage {
  if (message.role !== "assistant" || message.thinking === undefined) return message;
  return {
    role: "assistant",
    content: message.content,
    ...(message.toolCalls === undefined ? {} : { toolCalls: message.toolCalls }),
  };
}

/**
 * The log of all turns: JSON Lines, one file a session, append-only, the truth that every view is folded from.
 * Deltas are not written: the end of each model call holds the whole. Several windows may use one folder.
 */
export class TraceLog implements HistoryPort {
  private readonly folder: string;
  private readonly writer: LogWriter;
  private readonly index: LogIndex;

  constructor(options: TraceLogOptions) {
    this.folder = options.folder;
    this.writer = new LogWriter(options.folder, options.onError ?? (() => undefined));
    this.index = new LogIndex(options.folder);
  }

  /** Queues an event for the disk. Returns at once, never throws. */
  append(event: TurnEvent): void {
    if (event.type !== "model.delta") this.writer.add(event);
  }

  /** Resolves when all that was appended before is on disk. */
  flush(): Promise<void> {
    return this.writer.flush();
  }

  /** Writes what waits and closes what is open. */
  async dispose(): Promise<void> {
    await this.writer.flush();
    await this.writer.close();
  }

  /**
   * What a session's log holds, in order, from disk. A bad line is a `problem` and costs itself only; an unknown
   * session holds nothing; a file that can't be read is a `problem` as well.
   */
  async *read(sessionId: string): AsyncGenerator<LogItem, void, undefined> {
    if (!isSessionId(sessionId)) return;
    try {
      for await (const { item } of readLogFile(logPath(this.folder, sessionId))) yield item;
    } catch (error) {
      if (isMissing(error)) return;
      yield { type: "problem", line: 0, message: `The trace can't be read: ${describeError(error)}` };
    }
  }

  /** A page of the sessions on disk, newest first. Only the page's own sessions are opened. */
  async sessions(page: { readonly offset: number; readonly limit: number }): Promise<Result<SessionPage>> {
    try {
      const all = await this.sessionFiles();
      const shown = all.slice(page.offset, page.offset + page.limit);
      const sessions = await Promise.all(shown.map((file) => this.summarise(file)));
      return success({ sessions, total: all.length });
    } catch (error) {
      return unreadable(error);
    }
  }

  /** The turns of a session as rows, oldest first; an unknown session has none. */
  async rows(sessionId: string): Promise<Result<readonly TurnSummary[]>> {
    if (!isSessionId(sessionId)) return success([]);
    try {
      return success((await this.index.load(sessionId)).rows);
    } catch (error) {
      return isMissing(error) ? success([]) : unreadable(error);
    }
  }

  /** The finished turns of a session as its conversation goes on from them, oldest first, from disk. */
  async turns(sessionId: string): Promise<Result<readonly PastTurn[]>> {
    await this.flush();
    const parents = new Map<string, string | null>();
    const turns: PastTurn[] = [];
    for await (const item of this.read(sessionId)) {
      if (item.type === "problem" && item.line === 0) return failed("internal", item.message);
      if (item.type !== "event") continue;
      const { event } = item;
      if (event.type === "turn.start") parents.set(event.turnId, event.data["conclave.parent_turn_id"]);
      if (event.type !== "turn.end" || event.data["conclave.messages"].length === 0) continue;
      const parent = parents.get(event.turnId);
      turns.push({
        turnId: event.turnId,
        parentTurnId: parent === undefined ? UNKNOWN_PARENT : parent,
        messages: event.data["conclave.messages"].map(withoutThinking),
      });
    }
    return success(turns);
  }

  /** Deletes a session's log; an unknown one counts as not deleted. */
  async delete(sessionId: string): Promise<Result<{ readonly deleted: boolean }>> {
    if (!isSessionId(sessionId)) return success({ deleted: false });
    try {
      await this.flush();
      await this.writer.forget(sessionId);
      await this.index.forget(sessionId);
      await rm(logPath(this.folder, sessionId));
      return success({ deleted: true });
    } catch (error) {
      if (isMissing(error)) return success({ deleted: false });
      return failed("internal", "The trace of the session could not be deleted.", {
        cause: describeError(error),
      });
    }
  }

  private async sessionFiles(): Promise<
    readonly { readonly sessionId: string; readonly updatedAt: number }[]
  > {
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const ids = names
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => name.slice(0, -".jsonl".length))
      .filter(isSessionId);
    const files = await Promise.all(
      ids.map(async (sessionId) => {
        const found = await stat(logPath(this.folder, sessionId)).catch(() => undefined);
        return found?.isFile() === true ? [{ sessionId, updatedAt: found.mtimeMs }] : [];
      }),
    );
    return files.flat().sort((a, b) => b.updatedAt - a.updatedAt || a.sessionId.localeCompare(b.sessionId));
  }

  private async summarise(file: {
    readonly sessionId: string;
    readonly updatedAt: number;
  }): Promise<SessionSummary> {
    const { createdAt, rows } = await this.index
      .load(file.sessionId)
      .catch(() => ({ createdAt: file.updatedAt, rows: [] as readonly TurnSummary[] }));
    return {
      ...file,
      createdAt,
      title: rows.find((row) => row.question !== "")?.question ?? "",
      turns: rows.length,
    };
  }
}

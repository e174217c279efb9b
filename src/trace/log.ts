import { rm } from "node:fs/promises";
import type { TurnEvent } from "../agent/events.ts";
import { CANCELLED, describeError, failed, success, type Failure, type Result } from "../agent/failure.ts";
import type { HistoryPort, PastTurn } from "../agent/sessions/history-port.ts";
import { Burial, type BurialOf } from "./burial.ts";
import { isSessionId } from "./event-schema.ts";
import { importTrace, type ImportedTrace, type ImportParts } from "./files/import.ts";
import { underLock } from "./file-lock.ts";
import { buryInFolder, loggedSessions } from "./log-burial.ts";
import { LogIndex } from "./log-index.ts";
import { watchLogs, type LogChange } from "./log-watch.ts";
import { readLogFile, type LogItem } from "./log-reader.ts";
import { lockPath, LogWriter, logPath } from "./log-writer.ts";
import { readLines } from "./lines.ts";
import { DeletedSessions } from "./deleted-sessions.ts";
import { MentionFinder, type MentioningTurn } from "./mentions.ts";
import { pastTurns } from "./past-turns.ts";
import { RecentBurials } from "./recent-burials.ts";
import { saveVolatile } from "./save-volatile.ts";
import { logState } from "./session-line.ts";
import { sessionPage, type SessionPage } from "./session-list.ts";
import { PRIVATE, wholeLog } from "./whole-log.ts";
import type { TurnSummary } from "./summary.ts";
import { TextSearch } from "./text-search.ts";
import { VolatileLog } from "./volatile-log.ts";

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

/**
 * The log of all turns: JSON Lines, one file a session, append-only, the truth that every view is folded from.
 * Deltas are not written: the end of each model call holds the whole. Several windows may use one folder.
 */
export class TraceLog implements HistoryPort {
  readonly firstVersion = "0";
  private readonly folder: string;
  private readonly writer: LogWriter;
  private readonly index: LogIndex;
  private readonly volatile = new VolatileLog();
  private readonly burials = new RecentBurials();
  private readonly deleted = new DeletedSessions();

  constructor(options: TraceLogOptions) {
    this.folder = options.folder;
    this.writer = new LogWriter(options.folder, options.onError ?? (() => undefined));
    this.index = new LogIndex(options.folder);
  }

  /** Queues an event for the disk, or keeps that of a private session. Returns at once, never throws. */
  append(event: TurnEvent): void {
    if (event.type === "model.delta" || this.deleted.isOver(event)) return;
    if (event.type === "turn.start" && event.data["conclave.private"] === true)
      this.volatile.begin(event.sessionId, event.time);
    if (this.volatile.has(event.sessionId)) this.volatile.append(event);
    else this.writer.add(this.burials.clean(event));
  }

  /** Tells when logs change on disk, whichever window writes them; gives the way to stop. */
  watch(listener: (change: LogChange) => void): () => void {
    return watchLogs(this.folder, listener);
  }

  /** Resolves when all that was appended before is on disk. */
  flush(): Promise<void> {
    return this.writer.flush();
  }

  /** Writes what waits and closes what is open. */
  dispose(): Promise<void> {
    return this.writer.close();
  }

  /**
   * What a session's log holds, in order, from disk. A bad line is a `problem` and costs itself only; an unknown
   * session holds nothing; a file that can't be read is a `problem` as well.
   */
  async *read(sessionId: string): AsyncGenerator<LogItem, void, undefined> {
    if (!isSessionId(sessionId)) return;
    if (this.volatile.has(sessionId)) {
      yield* this.volatile.read(sessionId);
      return;
    }
    try {
      for await (const { item } of readLogFile(logPath(this.folder, sessionId))) yield item;
    } catch (error) {
      if (isMissing(error)) return;
      yield { type: "problem", line: 0, message: `The trace can't be read: ${describeError(error)}` };
    }
  }

  /** A session's log as its file holds it, to be kept elsewhere; an unknown session's is empty. None of a private one. */
  async bytes(sessionId: string): Promise<Result<Uint8Array>> {
    if (this.volatile.has(sessionId)) return PRIVATE;
    await this.flush();
    return isSessionId(sessionId) ? wholeLog(logPath(this.folder, sessionId)) : success(new Uint8Array());
  }

  /** A page of the sessions on disk, newest first. Only the page's own sessions are opened. */
  async sessions(page: { readonly offset: number; readonly limit: number }): Promise<Result<SessionPage>> {
    try {
      const { folder, index, volatile } = this;
      return success(await sessionPage({ folder, index, volatile }, page));
    } catch (error) {
      return unreadable(error);
    }
  }

  /** The turns of a session as rows, oldest first; an unknown session has none. */
  async rows(sessionId: string): Promise<Result<readonly TurnSummary[]>> {
    if (!isSessionId(sessionId)) return success([]);
    if (this.volatile.has(sessionId)) return success(this.volatile.rows(sessionId));
    try {
      return success((await this.index.load(sessionId)).rows);
    } catch (error) {
      return isMissing(error) ? success([]) : unreadable(error);
    }
  }

  /** The finished turns of a session as its conversation goes on from them, oldest first, from disk. */
  async turns(sessionId: string): Promise<Result<readonly PastTurn[]>> {
    await this.flush();
    return pastTurns(this.read(sessionId));
  }

  /**
   * Deletes a session's log and what belongs to it; an unknown one counts as not deleted. What is still said of its turns
   * is dropped: only a new turn begins it again.
   */
  async delete(sessionId: string): Promise<Result<{ readonly deleted: boolean }>> {
    if (!isSessionId(sessionId)) return success({ deleted: false });
    // First, so that nothing is queued any more that would bring it back.
    this.deleted.add(sessionId);
    if (this.volatile.end(sessionId)) {
      this.deleted.tell(sessionId);
      return success({ deleted: true });
    }
    try {
      await this.flush();
      this.writer.forget(sessionId);
      await underLock(lockPath(this.folder, sessionId), async () => {
        await this.index.forget(sessionId);
        await rm(`${logPath(this.folder, sessionId)}.tmp`, { force: true });
        await rm(logPath(this.folder, sessionId));
      });
      this.deleted.tell(sessionId);
      return success({ deleted: true });
    } catch (error) {
      if (isMissing(error)) return success({ deleted: false });
      this.deleted.undo(sessionId);
      return failed("internal", "The trace of the session could not be deleted.", {
        cause: describeError(error),
      });
    }
  }

  /** Calls back with a session that this window deletes; gives the way to stop. */
  onDeleted(listener: (sessionId: string) => void): () => void {
    return this.deleted.listen(listener);
  }

  /** Takes a trace of somebody else's into sessions of its own: all of it or nothing. Nothing of it is remembered. */
  adopt(parts: Omit<ImportParts, "folder">): Promise<Result<ImportedTrace>> {
    return importTrace({ ...parts, folder: this.folder });
  }

  /**
   * Takes the texts of turns out of the logs, and what later turns carried of them: a tombstone stands in their place
   * when it resolves. What memory has let go of is named by `memoryIds`, what is to be forgotten wherever a prompt or a
   * tool spoke of it by `about`.
   */
  async bury(what: BurialOf): Promise<Result<{ readonly turns: number }>> {
    const burial = new Burial({ ...what, time: Math.round(what.time) });
    // First, so that nothing is queued any more that says it.
    this.burials.add(burial);
    try {
      this.volatile.look(burial);
      await this.flush();
      await buryInFolder(this.folder, burial, async (sessionId) => {
        this.writer.forget(sessionId);
        await this.index.forget(sessionId);
      });
      this.volatile.bury(burial);
      return success({ turns: what.turns.length });
    } catch (error) {
      return failed("internal", "A trace could not be written anew.", { cause: describeError(error) });
    }
  }

  /** The turns of all sessions that mention some words themselves, forgotten ones aside. */
  async mentions(words: string, signal: AbortSignal): Promise<Result<readonly MentioningTurn[]>> {
    const finder = new MentionFinder(words);
    await this.flush();
    try {
      for (const { sessionId } of this.volatile.list())
        for (const line of this.volatile.lines(sessionId) ?? []) finder.takeLine(line);
      for (const sessionId of await loggedSessions(this.folder)) {
        for await (const { text } of readLines(logPath(this.folder, sessionId))) {
          if (signal.aborted) return { ok: false, failure: CANCELLED };
          if (text !== undefined) finder.takeLine(text);
        }
      }
      return success(finder.turns());
    } catch (error) {
      return unreadable(error);
    }
  }

  /**
   * Which of some words (in lower case) the texts of a session's turns hold, its thinking and its tools' results
   * included; none of them where the log can't be read.
   */
  async search(sessionId: string, words: readonly string[], signal: AbortSignal): Promise<TextSearch> {
    const search = new TextSearch(words);
    for await (const line of this.lines(sessionId)) {
      if (signal.aborted) break;
      search.take(line);
    }
    return search;
  }

  /** The lines of a session's log as they stand there, in order; none of one that can't be read. */
  async *lines(sessionId: string): AsyncGenerator<string, void, undefined> {
    yield* this.volatile.lines(sessionId) ?? [];
    if (!isSessionId(sessionId) || this.volatile.has(sessionId)) return;
    try {
      for await (const { text } of readLines(logPath(this.folder, sessionId)))
        if (text !== undefined) yield text;
    } catch {
      // A log that is gone by now holds nothing.
    }
  }

  /** Changes whenever texts are taken out of a session's log, by this window or another. */
  async version(sessionId: string): Promise<string> {
    if (!isSessionId(sessionId)) return "";
    if (this.volatile.has(sessionId)) return String(this.volatile.buriedAt);
    try {
      return String((await logState(logPath(this.folder, sessionId))).rewritten);
    } catch {
      // A session without a log has nothing to be forgotten; one that had one has been deleted as a whole.
      return this.deleted.has(sessionId) || this.writer.has(sessionId) ? "deleted" : this.firstVersion;
    }
  }

  /** Keeps a session in this window alone, from its first event on. */
  beginPrivate(sessionId: string, time: number): void {
    this.volatile.begin(sessionId, time);
  }

  /** Whether a session lives in this window alone. */
  isPrivate(sessionId: string): boolean {
    return this.volatile.has(sessionId);
  }

  /** The private sessions that hold a turn, the one that went on last first. */
  privateSessions(): readonly string[] {
    return this.volatile.list().map(({ sessionId }) => sessionId);
  }

  /** Writes a private session to the disk; from then on it is one like all others. False when it was not private. */
  async savePrivate(sessionId: string): Promise<Result<boolean>> {
    if (!this.volatile.has(sessionId)) return success(false);
    try {
      await saveVolatile(this.folder, this.volatile, sessionId);
      return success(true);
    } catch (error) {
      return failed("internal", "The session could not be saved.", { cause: describeError(error) });
    }
  }
}

import { describeError, success, type Result } from "../../agent/failure.ts";
import type { TurnEvent } from "../../agent/events.ts";
import type { LogItem } from "../log-reader.ts";
import type { SessionPage } from "../session-list.ts";
import { linesOf } from "../lines.ts";
import { PromptRestorer } from "../prompt-chain.ts";
import type { TurnSummary } from "../summary.ts";
import { Breath } from "./breath.ts";
import { isCompressed } from "./compressed.ts";
import { FileIndex, SeenEvents } from "./file-index.ts";
import { MAX_LINE_BYTES, readForeignLine } from "./foreign-line.ts";
import type { ByteSource } from "./source.ts";
import { asUtf8 } from "./utf16.ts";

/** A larger file is read up to here, in bytes. */
const MAX_READ = 4 * 1024 * 1024 * 1024;
/** Progress is told so often, in milliseconds. */
const TELL_MS = 250;

/** How far a file is read, and what is to be said of it. */
export interface FileState {
  /** `reading`: more comes. `gone`: it can't be read any more; what was read of it stays. */
  readonly state: "reading" | "read" | "gone";
  /** How much of it was read, 0 to 1. */
  readonly progress: number;
  /** Events that were found. */
  readonly events: number;
  /** Lines that were left out. */
  readonly leftOut: number;
  /** In sentences, what could not be taken; few. */
  readonly notes: readonly string[];
  /** Which reading of the file it is, counted from 1. */
  readonly reading: number;
}

/**
 * A trace in a file that anyone may have made, as the panel reads a log. It is gone through once, in pieces, with pauses;
 * what is held of it grows with its turns. A turn is read from where it stands. Nothing here throws or rejects.
 */
export class TraceFile {
  private readonly given: ByteSource;
  private source: ByteSource;
  private index = new FileIndex();
  private state: FileState["state"] = "reading";
  private size = 0;
  private readings = 0;
  /** Why it can't be read. */
  private troubles: readonly string[] = [];
  private stopping = new AbortController();
  private readonly listeners = new Set<() => void>();

  constructor(source: ByteSource) {
    this.given = source;
    this.source = source;
  }

  /** How far it is read. */
  status(): FileState {
    const { index, state, size } = this;
    const progress = state === "reading" ? (size === 0 ? 0 : Math.min(1, index.end / size)) : 1;
    const { notes, events } = index;
    const said = [...this.troubles, ...notes.sentences()];
    return { state, progress, events, leftOut: notes.leftOut, notes: said, reading: this.readings };
  }

  /** Calls back as more is read, and when the file is read anew; gives the way to stop. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads the file from its beginning, in place of what was read before. Resolves when all is read, or it is gone. */
  async load(): Promise<void> {
    this.stopping.abort();
    const stopping = new AbortController();
    this.stopping = stopping;
    await this.scan(stopping.signal);
  }

  /** Resolves when the first turn was found, or all is read. */
  async firstTurn(): Promise<TurnSummary | undefined> {
    for (;;) {
      const [session] = this.index.list();
      if (session !== undefined) return this.index.rows(session.sessionId)[0];
      if (this.state !== "reading") return undefined;
      await this.changed();
    }
  }

  /** Whether a turn is in the file; resolves as soon as that is known. */
  async holds(sessionId: string, turnId: string): Promise<boolean> {
    while (!this.index.has(sessionId, turnId)) {
      if (this.state !== "reading") return false;
      await this.changed();
    }
    return true;
  }

  /** Nothing waits to be written. */
  flush(): Promise<void> {
    return Promise.resolve();
  }

  /** A page of the sessions that were found so far, in the order of the file. */
  sessions(page: { readonly offset: number; readonly limit: number }): Promise<Result<SessionPage>> {
    const all = this.index.list();
    const sessions = all.slice(page.offset, page.offset + page.limit);
    return Promise.resolve(success({ sessions, total: all.length }));
  }

  /** The turns of a session that were found so far, oldest first. */
  rows(sessionId: string): Promise<Result<readonly TurnSummary[]>> {
    return Promise.resolve(success(this.index.rows(sessionId)));
  }

  /** All events of a session, in order. */
  async *read(sessionId: string): AsyncGenerator<LogItem, void, undefined> {
    const key = sessionId.toLowerCase();
    yield* this.events([{ from: 0, to: Infinity }], (event) => event.sessionId.toLowerCase() === key);
  }

  /** The events of one turn, and those of its session that change how it is shown; read from where they stand. */
  async *readTurn(sessionId: string, turnId: string): AsyncGenerator<LogItem, void, undefined> {
    await this.readUpTo(sessionId, turnId);
    const key = sessionId.toLowerCase();
    yield* this.events(
      this.index.placesOf(sessionId, turnId),
      (event) =>
        event.sessionId.toLowerCase() === key &&
        (event.turnId === turnId || event.type === "context.restored"),
      (text) => text.includes(turnId) || text.includes("context.restored") || text.includes("\\u00"),
    );
  }

  /** Stops reading. */
  dispose(): void {
    this.stopping.abort();
    this.state = "gone";
    this.tell();
    this.listeners.clear();
  }

  /** Waits while the turn may go on in what is not read yet. */
  private async readUpTo(sessionId: string, turnId: string): Promise<void> {
    for (;;) {
      const row = this.index.rows(sessionId).find((known) => known.turnId === turnId);
      if (this.state !== "reading" || (row !== undefined && row.status !== "running")) return;
      await this.changed();
    }
  }

  private changed(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.onChange(() => {
        stop();
        resolve();
      });
    });
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private async scan(signal: AbortSignal): Promise<void> {
    const index = new FileIndex();
    try {
      await this.given.size();
      const source = await asUtf8(this.given, () => index.notes.remark("utf16"));
      const size = await source.size();
      if (signal.aborted) return;
      this.source = source;
      this.index = index;
      this.troubles = [];
      this.readings += 1;
      this.size = Math.min(size, MAX_READ);
      this.state = "reading";
      if (size > MAX_READ) index.notes.remark("large");
      if (await isCompressed(this.given)) index.notes.remark("compressed");
      else if (!(await this.take(index, signal))) return;
      index.finish();
      this.state = "read";
    } catch (error) {
      if (signal.aborted) return;
      this.state = "gone";
      this.troubles = [`The file can't be read: ${describeError(error)}`];
    }
    this.tell();
  }

  /** False when another reading has taken its place. */
  private async take(index: FileIndex, signal: AbortSignal): Promise<boolean> {
    const breath = new Breath();
    let told = -Infinity;
    const range = { from: 0, to: this.size, maxBytes: MAX_LINE_BYTES };
    for await (const line of linesOf(() => this.source.open(), range)) {
      if (signal.aborted) return false;
      index.take(line);
      await breath.take();
      if (index.events === 0 || performance.now() - told < TELL_MS) continue;
      told = performance.now();
      this.tell();
    }
    return !signal.aborted;
  }

  private async *events(
    runs: readonly { readonly from: number; readonly to: number }[],
    wanted: (event: TurnEvent) => boolean,
    mayBeWanted: (text: string) => boolean = () => true,
  ): AsyncGenerator<LogItem, void, undefined> {
    const prompts = new PromptRestorer();
    const seen = new SeenEvents();
    const breath = new Breath();
    try {
      for (const { from, to } of runs) {
        const range = { from, to, maxBytes: MAX_LINE_BYTES };
        for await (const { text } of linesOf(() => this.source.open(), range)) {
          await breath.take();
          if (text !== undefined && !mayBeWanted(text)) continue;
          const read = readForeignLine(from === 0 ? text?.replace(/^\uFEFF/, "") : text);
          if (read.kind !== "event" || !wanted(read.event) || seen.has(read.event)) continue;
          yield { type: "event", event: prompts.restore(read.event).event };
        }
      }
    } catch (error) {
      yield { type: "problem", line: 0, message: `The file can't be read: ${describeError(error)}` };
    }
  }
}

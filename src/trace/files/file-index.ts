import { SCHEMA_VERSION, type TurnEvent } from "../../agent/events.ts";
import type { FileLine } from "../lines.ts";
import type { SessionSummary } from "../session-list.ts";
import { applySummary, type SummaryRows, type TurnSummary } from "../summary.ts";
import { readForeignLine } from "./foreign-line.ts";
import { FileNotes } from "./file-notes.ts";
import { TurnPlaces, type Run } from "./turn-places.ts";

/** Sessions that are told apart in one file. */
const MAX_SESSIONS = 1_000;
/** Events that are remembered, so that one that comes twice counts once. */
const MAX_REMEMBERED = 200_000;
/** Lines that say something of a turn elsewhere in its session. */
const MAX_ASIDE = 1_000;

interface FileSession {
  readonly sessionId: string;
  createdAt: number;
  updatedAt: number;
  readonly rows: SummaryRows;
  /** Where its events stand that a view of another turn needs too. */
  readonly aside: Run[];
}

/** Tells events that a file holds twice: the same of the same turn. A file that is too long for that is left alone. */
export class SeenEvents {
  private readonly seen = new Set<string>();

  /** Forgets all. */
  clear(): void {
    this.seen.clear();
  }

  /** Whether it was there before. */
  has({ type, id, turnId, sessionId }: TurnEvent): boolean {
    const key = `${type} ${id} ${turnId} ${sessionId}`;
    if (this.seen.has(key)) return true;
    if (this.seen.size < MAX_REMEMBERED) this.seen.add(key);
    return false;
  }
}

/** What is known of a file's lines: the rows of its turns, and where each turn stands. Grows with its turns, not its lines. */
export class FileIndex {
  readonly notes = new FileNotes();
  /** How far the file was read, in bytes. */
  end = 0;
  /** Events that were taken. */
  events = 0;
  private line = 0;
  private readonly sessions = new Map<string, FileSession>();
  private readonly places = new TurnPlaces();
  private readonly seen = new SeenEvents();

  /** Takes the next line. A last line that is only half there is left for later. */
  take({ text, end, complete, damaged }: FileLine): void {
    this.line += 1;
    const from = this.end;
    if (text?.trim() !== "") {
      const read = readForeignLine(this.line === 1 ? text?.replace(/^\uFEFF/, "") : text);
      // It was being written, or a crash cut it.
      if (!complete && read.kind === "problem") return;
      if (damaged === true) this.notes.remark("not_utf8");
      if (read.kind === "session") this.session(read.session);
      else if (read.kind === "event") this.event(read.event, read.mended, { from, to: end });
      else if (read.problem !== "silent") this.notes.line(this.line, read.problem, read.detail);
    }
    this.end = end;
  }

  /** All was taken: what was remembered to tell repeated events is let go of. */
  finish(): void {
    this.seen.clear();
  }

  /** The sessions, in the order of the file. */
  list(): readonly SessionSummary[] {
    return [...this.sessions.values()]
      .filter(({ rows }) => rows.size > 0)
      .map(({ sessionId, createdAt, updatedAt, rows }) => {
        const shown = [...rows.values()];
        const title = shown.find(({ question }) => question !== "")?.question ?? "";
        return { sessionId, createdAt, updatedAt, title, turns: shown.length };
      });
  }

  /** The turns of a session as rows, oldest first. */
  rows(sessionId: string): readonly TurnSummary[] {
    return [...(this.sessions.get(sessionId.toLowerCase())?.rows.values() ?? [])];
  }

  /** Whether the file holds anything of a turn. */
  has(sessionId: string, turnId: string): boolean {
    return this.places.has(sessionId, turnId);
  }

  /** Where a turn stands in the file, what is said of it elsewhere included; in order. */
  placesOf(sessionId: string, turnId: string): readonly Run[] {
    const own = this.places.of(sessionId, turnId);
    const last = own.at(-1)?.to ?? 0;
    const aside = this.sessions.get(sessionId.toLowerCase())?.aside ?? [];
    return [...own, ...aside.filter(({ from }) => from >= last)];
  }

  private session({ sessionId, createdAt, schema }: SessionHead): void {
    if (schema > SCHEMA_VERSION) this.notes.newer(schema);
    const session = this.sessionOf(sessionId, createdAt);
    if (session !== undefined) session.createdAt = createdAt;
  }

  private event(event: TurnEvent, mended: boolean, run: Run): void {
    if (event.type === "model.delta") return;
    if (this.seen.has(event)) {
      this.notes.remark("repeated");
      return;
    }
    const session = this.sessionOf(event.sessionId, event.time);
    if (session === undefined) return;
    if (!this.places.add(event.sessionId, event.turnId, run.from, run.to)) {
      this.notes.remark("turns");
      return;
    }
    if (mended) this.notes.remark("mended");
    this.events += 1;
    session.updatedAt = Math.max(session.updatedAt, event.time);
    if (event.type === "context.restored" && session.aside.length < MAX_ASIDE) session.aside.push(run);
    applySummary(session.rows, event);
  }

  private sessionOf(sessionId: string, createdAt: number): FileSession | undefined {
    const key = sessionId.toLowerCase();
    const known = this.sessions.get(key);
    if (known !== undefined) return known;
    if (this.sessions.size >= MAX_SESSIONS) {
      this.notes.remark("sessions");
      return undefined;
    }
    const session = { sessionId, createdAt, updatedAt: createdAt, rows: new Map(), aside: [] };
    this.sessions.set(key, session);
    return session;
  }
}

interface SessionHead {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly schema: number;
}

import type { TurnEvent } from "../agent/events.ts";
import { isJsonObject } from "../agent/json.ts";
import type { Burial } from "./burial.ts";
import { eventLine } from "./event-line.ts";
import { readLog, type LogItem } from "./log-reader.ts";
import { buriedLine } from "./log-rewrite.ts";
import { parseLine } from "./parse-line.ts";
import { PromptShortener } from "./prompt-chain.ts";
import { sessionLine } from "./session-line.ts";
import { applySummary, type SummaryRows, type TurnSummary } from "./summary.ts";

/** At most so many characters of private sessions are held; the oldest sessions leave first. */
const MAX_HELD = 128 * 1024 * 1024;

/** A session that is held in memory only, as the lines that a log on disk would hold. */
interface VolatileSession {
  readonly createdAt: number;
  updatedAt: number;
  /** The first one is the session's own. */
  lines: string[];
  size: number;
  rows: SummaryRows;
  readonly prompts: PromptShortener;
}

/** A session of the window as a row of a list. */
export interface VolatileSummary {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The logs of private sessions: they live in this window alone, and nothing of them reaches the disk. */
export class VolatileLog {
  readonly #sessions = new Map<string, VolatileSession>();
  #held = 0;
  /** When texts were last taken out of private sessions; 0 when never. */
  buriedAt = 0;

  /** Makes a session private from its first event on. */
  begin(sessionId: string, time: number): void {
    if (this.has(sessionId)) return;
    const first = sessionLine(sessionId, time).trimEnd();
    const prompts = new PromptShortener();
    const session = { createdAt: time, updatedAt: time, lines: [first], size: 0, rows: new Map(), prompts };
    this.#sessions.set(key(sessionId), session);
  }

  /** Whether a session is private. */
  has(sessionId: string): boolean {
    return this.#sessions.has(key(sessionId));
  }

  /** Takes an event of a private session. */
  append(event: TurnEvent): void {
    const session = this.#sessions.get(key(event.sessionId));
    if (session === undefined) return;
    const line = eventLine(session.prompts.shorten(event));
    session.lines.push(line);
    session.size += line.length;
    session.updatedAt = event.time;
    applySummary(session.rows, event);
    this.#held += line.length;
    this.#shrink(session);
  }

  /** What the log holds, in order. */
  async *read(sessionId: string): AsyncGenerator<LogItem, void, undefined> {
    const lines = [...(this.#sessions.get(key(sessionId))?.lines ?? [])];
    const read = readLog(lines.map((text) => ({ text, end: 0, complete: true })));
    for await (const { item } of read) yield item;
  }

  /** The turns as rows, oldest first. */
  rows(sessionId: string): readonly TurnSummary[] {
    const rows = [...(this.#sessions.get(key(sessionId))?.rows.values() ?? [])];
    return rows.map((row) => ({ ...row, private: true }));
  }

  /** The private sessions that hold something, newest first. */
  list(): readonly VolatileSummary[] {
    const held = [...this.#sessions].filter(([, session]) => session.rows.size > 0);
    const rows = held.map(([sessionId, { createdAt, updatedAt }]) => ({ sessionId, createdAt, updatedAt }));
    return rows.sort((one, other) => other.updatedAt - one.updatedAt);
  }

  /** The lines of a session as a log on disk holds them; undefined for one that is not private. */
  lines(sessionId: string): readonly string[] | undefined {
    return this.#sessions.get(key(sessionId))?.lines;
  }

  /** The lines as a log that is kept holds them: nothing of them says that it was private. */
  savedLines(sessionId: string): readonly string[] {
    return (this.lines(sessionId) ?? []).map(savedLine);
  }

  /** Lets go of a session: it is saved, or thrown away. False when it was not private. */
  end(sessionId: string): boolean {
    const session = this.#sessions.get(key(sessionId));
    if (session === undefined) return false;
    this.#held -= session.size;
    return this.#sessions.delete(key(sessionId));
  }

  /** Notes what the private sessions say that has to go. */
  look(burial: Burial): void {
    for (const { lines } of this.#sessions.values()) {
      for (const line of lines) {
        const event = parseLine(line);
        if (event !== undefined) burial.look(event);
      }
    }
  }

  /** Takes out what is buried. */
  bury(burial: Burial): void {
    this.buriedAt = Math.max(burial.time, this.buriedAt + 1);
    for (const [sessionId, session] of this.#sessions) {
      const lines = session.lines.flatMap((line) => buriedLine(line, burial, sessionId) ?? []);
      this.#setLines(session, lines);
    }
  }

  /** Lets go of the oldest texts until there is room. Sessions stay private, whatever is left of them. */
  #shrink(current: VolatileSession): void {
    for (const session of this.#sessions.values()) {
      if (this.#held <= MAX_HELD) return;
      if (session !== current) this.#keepNewest(session, 0);
    }
    if (this.#held > MAX_HELD) this.#keepNewest(current, Math.floor(current.lines.length / 2));
  }

  #keepNewest(session: VolatileSession, count: number): void {
    const [first = "", ...events] = session.lines;
    const kept = count === 0 ? [] : events.slice(-count);
    const size = kept.reduce((sum, line) => sum + line.length, 0);
    this.#held -= session.size - size;
    session.size = size;
    this.#setLines(session, [first, ...kept]);
  }

  #setLines(session: VolatileSession, lines: string[]): void {
    session.lines = lines;
    session.rows = new Map();
    for (const line of lines) {
      const event = parseLine(line);
      if (event !== undefined && event["type"] !== "session")
        applySummary(session.rows, event as unknown as TurnEvent);
    }
  }
}

function savedLine(line: string): string {
  const event = parseLine(line);
  if (event?.["type"] !== "turn.start" || !isJsonObject(event["data"])) return line;
  const data = Object.entries(event["data"]).filter(([name]) => name !== "conclave.private");
  return JSON.stringify({ ...event, data: Object.fromEntries(data) });
}

function key(sessionId: string): string {
  return sessionId.toLowerCase();
}

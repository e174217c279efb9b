import { stat } from "node:fs/promises";
import { loggedSessions } from "./log-burial.ts";
import type { LogIndex } from "./log-index.ts";
import { logPath } from "./log-writer.ts";
import type { TurnSummary } from "./summary.ts";
import type { VolatileLog } from "./volatile-log.ts";

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

/** Where the sessions of a list are. */
export interface SessionPlaces {
  readonly folder: string;
  /** Rows of the logs in the folder. */
  readonly index: LogIndex;
  /** The private sessions of this window: they come first. */
  readonly volatile: VolatileLog;
}

/** A session before its log was looked into. */
interface ListedSession {
  readonly sessionId: string;
  readonly updatedAt: number;
  readonly createdAt?: number;
}

/** A page of all sessions, newest first. Only the page's own logs are opened. Rejects when the folder can't be read. */
export async function sessionPage(
  places: SessionPlaces,
  page: { readonly offset: number; readonly limit: number },
): Promise<SessionPage> {
  const all: readonly ListedSession[] = [...places.volatile.list(), ...(await sessionFiles(places.folder))];
  const shown = all.slice(page.offset, page.offset + page.limit);
  const sessions = await Promise.all(shown.map((session) => summarise(session, places)));
  return { sessions, total: all.length };
}

async function sessionFiles(folder: string): Promise<readonly ListedSession[]> {
  const ids = await loggedSessions(folder);
  const files = await Promise.all(
    ids.map(async (sessionId) => {
      const found = await stat(logPath(folder, sessionId)).catch(() => undefined);
      return found?.isFile() === true ? [{ sessionId, updatedAt: found.mtimeMs }] : [];
    }),
  );
  return files.flat().sort((a, b) => b.updatedAt - a.updatedAt || a.sessionId.localeCompare(b.sessionId));
}

async function summarise(
  session: ListedSession,
  { volatile, index }: SessionPlaces,
): Promise<SessionSummary> {
  const read = volatile.has(session.sessionId)
    ? { rows: volatile.rows(session.sessionId) }
    : await index.load(session.sessionId).catch(() => ({ rows: [] as readonly TurnSummary[] }));
  const { rows } = read;
  return {
    createdAt: session.updatedAt,
    ...session,
    ...("createdAt" in read ? { createdAt: read.createdAt } : {}),
    title: rows.find((row) => row.question !== "")?.question ?? "",
    turns: rows.length,
  };
}

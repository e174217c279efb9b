import type { DreamTurn } from "../../agent/dreaming/material.ts";
import { CANCELLED, success, type Result } from "../../agent/failure.ts";
import type { EventOf, TurnEvent } from "../../agent/events.ts";
import type { TraceLog } from "../../trace/log.ts";

/** Sessions that are looked into, and turns that are gathered; a longer past is for later dreams. */
const MAX_SESSIONS = 200;
const MAX_TURNS = 1_000;
const PAGE = 50;

/** Text (UTF-16 units) that is kept of one question or answer. */
const MAX_TEXT = 4_000;

interface Seen {
  question?: string;
  answer?: string;
  isApart?: true;
}

/**
 * The answered turns of the log that ended after a time (milliseconds since the epoch), oldest first. Private sessions,
 * what was forgotten, what was imported, and turns that nobody asked for are left out.
 */
export async function recentTurns(
  log: Pick<TraceLog, "sessions" | "read" | "isPrivate" | "flush">,
  after: number,
  signal: AbortSignal,
): Promise<Result<readonly DreamTurn[]>> {
  await log.flush();
  const sessions = await changedSince(log, after);
  if (!sessions.ok) return sessions;
  const turns: DreamTurn[] = [];
  for (const sessionId of sessions.value) {
    const seen = new Map<string, Seen>();
    for await (const item of log.read(sessionId)) {
      if (signal.aborted) return { ok: false, failure: CANCELLED };
      if (item.type !== "event") continue;
      const turn = take(seen, item.event);
      if (turn !== undefined && turn.time > after) turns.push(turn);
    }
  }
  turns.sort((one, other) => one.time - other.time);
  return success(turns.slice(0, MAX_TURNS));
}

/** Sessions that were written to since then. */
async function changedSince(
  log: Pick<TraceLog, "sessions" | "isPrivate">,
  after: number,
): Promise<Result<readonly string[]>> {
  const ids: string[] = [];
  for (let offset = 0; offset < MAX_SESSIONS; offset += PAGE) {
    const page = await log.sessions({ offset, limit: PAGE });
    if (!page.ok) return page;
    for (const { sessionId, updatedAt } of page.value.sessions) {
      if (updatedAt > after && !log.isPrivate(sessionId)) ids.push(sessionId);
    }
    const last = page.value.sessions.at(-1);
    if (last === undefined || last.updatedAt <= after) break;
  }
  return success(ids);
}

/** Turns that nobody asked for, that are private, or that came from a file of somebody else. */
function isApart(data: EventOf<"turn.start">["data"]): boolean {
  const { "conclave.background": background, "conclave.private": isPrivate } = data;
  return background === true || isPrivate === true || data["conclave.imported"] !== undefined;
}

/** What an event adds to its turn; the turn once it has ended with an answer of its own. */
function take(seen: Map<string, Seen>, event: TurnEvent): DreamTurn | undefined {
  const { sessionId, turnId, time } = event;
  const turn = seen.get(turnId) ?? {};
  seen.set(turnId, turn);
  if (event.forgotten !== undefined) turn.isApart = true;
  switch (event.type) {
    case "turn.start":
      if (isApart(event.data)) turn.isApart = true;
      return undefined;
    case "query.received":
      turn.question = event.data.query.slice(0, MAX_TEXT);
      return undefined;
    case "answer.dialog":
      turn.answer = event.data.answer.slice(0, MAX_TEXT);
      return undefined;
    case "turn.end": {
      seen.delete(turnId);
      const { question, answer, isApart } = turn;
      if (isApart === true || question === undefined || answer === undefined) return undefined;
      return { sessionId, turnId, time, question, answer };
    }
    default:
      return undefined;
  }
}

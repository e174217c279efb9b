import type { TurnEvent } from "../../agent/events.ts";
import { failed, success, type Result } from "../../agent/failure.ts";
import type { TraceLog } from "../log.ts";
import { isOther } from "../respondent.ts";

/** What is read of one turn: far more than any turn has that was really asked. */
const MAX_EVENTS = 100_000;

/** A turn, named. */
export interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
}

/** Where turns are read from. */
export type TurnLog = Pick<TraceLog, "read" | "flush">;

/**
 * All events of a turn, to branch off it. Fails in words where the log does not hold the turn, what it said was
 * forgotten, lines of it could not be read, or it is too long.
 */
export async function readTurn(
  log: TurnLog,
  { sessionId, turnId }: TurnRef,
): Promise<Result<readonly TurnEvent[]>> {
  await log.flush();
  const events: TurnEvent[] = [];
  let ended = false;
  for await (const item of log.read(sessionId)) {
    // A line that can't be read may be one of this turn's: it stands between its first and its last.
    if (item.type === "problem" && events.length > 0 && !ended)
      return failed(
        "bad_input",
        `The trace of this turn can't be read whole (${item.message}), so nothing can branch off it.`,
      );
    if (item.type !== "event" || item.event.turnId !== turnId) continue;
    if (item.event.forgotten !== undefined)
      return failed("bad_input", "What this turn said was forgotten, so nothing can branch off it.");
    ended ||= item.event.type === "turn.end";
    if (events.length >= MAX_EVENTS)
      return failed("bad_input", "This turn is too long for something to branch off it.");
    // What respondent B did is no part of what runs on.
    if (!isOther(item.event)) events.push(item.event);
  }
  return events.length > 0
    ? success(events)
    : failed("bad_input", "The trace does not hold this turn, so nothing can branch off it.");
}

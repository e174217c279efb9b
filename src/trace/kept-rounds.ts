import type { Reference } from "../agent/events.ts";
import type { Position } from "../agent/events-committee.ts";
import { failed, success, type Result } from "../agent/failure.ts";
import type { TraceLog } from "./log.ts";

/** What a committee was asked, and what it said. */
export interface KeptDeliberation {
  readonly question: string;
  readonly references: readonly Reference[];
  /** Positions by round; those of a later round take the place of earlier ones. */
  readonly rounds: readonly (readonly Position[])[];
}

/**
 * Reads what a committee said in a turn out of the log, so that it can be summed up again. Fails in words where the turn
 * has no positions, or its text was forgotten.
 */
export async function readDeliberation(
  log: Pick<TraceLog, "read" | "flush">,
  { sessionId, turnId }: { readonly sessionId: string; readonly turnId: string },
): Promise<Result<KeptDeliberation>> {
  await log.flush();
  let question = "";
  let references: readonly Reference[] = [];
  const rounds: (readonly Position[])[] = [];
  for await (const item of log.read(sessionId)) {
    if (item.type !== "event" || item.event.turnId !== turnId) continue;
    const { event } = item;
    if (event.forgotten !== undefined)
      return failed("bad_input", "What this committee said was forgotten, so it can't be summed up again.");
    if (event.type === "query.received") {
      question = event.data.query;
      references = event.data.references ?? [];
    }
    if (event.type === "round.end") rounds.push(event.data.positions);
  }
  if (question === "" || !rounds.flat().some(({ answer }) => answer !== ""))
    return failed("bad_input", "The trace has nothing that this committee said. Ask it anew.");
  return success({ question, references, rounds });
}

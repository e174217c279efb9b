import type { TurnSummary } from "../summary.ts";

/** What is looked at of a row. */
type Row = Pick<TurnSummary, "turnId" | "parentTurnId" | "status" | "time">;

/**
 * The last turn of the branch that a turn is on: the newest one that leads back to it, by its parents. The turn itself
 * where nothing follows it.
 *
 * @param rows the turns of the session, oldest first
 */
export function tipOf(rows: readonly Row[], turnId: string): string {
  const isOn = new Set([turnId]);
  let tip = turnId;
  for (const row of rows) {
    if (row.turnId === turnId || row.parentTurnId === null || !isOn.has(row.parentTurnId)) continue;
    isOn.add(row.turnId);
    // The conversation can't go on from a turn that has no end.
    if (row.status !== "interrupted" && row.status !== "running") tip = row.turnId;
  }
  return tip;
}

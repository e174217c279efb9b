import type { Table } from "@lancedb/lancedb";
import { describeError } from "../../agent/failure.ts";

/** How often a write that lost against another window's is done again. */
const ATTEMPTS = 12;

/**
 * Does a change on the newest version of a table, and again when another window's change came in between. Without
 * moving to the newest version first, every further try would lose too. Rejects with what the last try threw.
 */
export async function onLatest<T>(table: Table, change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    await table.checkoutLatest();
    try {
      return await change();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isConflict(error)) throw error;
    }
  }
}

/** Whether a change failed only because another one came first. */
export function isConflict(error: unknown): boolean {
  return /commit conflict|conflicting|concurrent/i.test(describeError(error));
}

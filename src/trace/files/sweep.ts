import { CANCELLED, describeError, failed, success, type Result } from "../../agent/failure.ts";
import {
  clearLeftovers,
  hasChanged,
  isLocked,
  storedLogs,
  whatGoes,
  type Retention,
  type ToSweep,
} from "./retention.ts";

/** What a sweep needs. */
export interface SweepParts {
  /** Where the logs are. */
  readonly folder: string;
  readonly retention: Retention;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether a session stays whatever it takes: it is open, or it runs. */
  readonly isKept: (sessionId: string) => boolean;
  /** Deletes a session's files. */
  readonly remove: (sessionId: string) => Promise<Result<{ readonly deleted: boolean }>>;
  readonly signal: AbortSignal;
}

/** What a sweep did. */
export interface Swept {
  readonly gone: readonly ToSweep[];
  /** What should have gone, and is in use. */
  readonly spared: number;
}

/**
 * Deletes the logs that are too old or too much. Never one that is open, that runs, that somebody holds the lock of, or
 * that was written to meanwhile.
 */
export async function sweep(parts: SweepParts): Promise<Result<Swept>> {
  const { folder, retention, now, isKept, signal } = parts;
  const gone: ToSweep[] = [];
  let spared = 0;
  try {
    await clearLeftovers(folder, now);
    if (retention.keepDays === 0 && retention.maxSizeMb === 0) return success({ gone, spared });
    for (const log of whatGoes(await storedLogs(folder), retention, now, isKept)) {
      if (signal.aborted) return { ok: false, failure: CANCELLED };
      const { sessionId } = log;
      if (isKept(sessionId) || (await isLocked(folder, sessionId, now)) || (await hasChanged(folder, log))) {
        spared += 1;
        continue;
      }
      const removed = await parts.remove(sessionId);
      if (!removed.ok) return removed;
      if (removed.value.deleted) gone.push(log);
    }
    return success({ gone, spared });
  } catch (error) {
    return failed("internal", "Old traces could not be swept.", { cause: describeError(error) });
  }
}

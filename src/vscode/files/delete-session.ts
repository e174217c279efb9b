import type { Engine } from "../../agent/engine-port.ts";
import { success, type Result } from "../../agent/failure.ts";
import type { MemoryPort } from "../../agent/memory/port.ts";
import type { TraceLog } from "../../trace/log.ts";

/** What deleting sessions needs. */
export interface DeleteParts {
  readonly engine: Pick<Engine, "running">;
  readonly log: Pick<TraceLog, "delete">;
  /** One that forgets in the traces too. */
  readonly memory: Pick<MemoryPort, "forget">;
}

/** What goes: the trace alone, or what was remembered of it too. */
export type DeleteWhat = "traces" | "memories";

/**
 * Deletes sessions for good: what runs in them is stopped first. With their memories, memory forgets before the trace
 * goes, so that what could not be forgotten can still be seen. Gives how many traces were deleted; those that were done
 * stay done when one fails.
 */
export async function deleteSessions(
  { engine, log, memory }: DeleteParts,
  sessionIds: readonly string[],
  what: DeleteWhat,
  signal: AbortSignal,
): Promise<Result<number>> {
  let deleted = 0;
  for (const sessionId of sessionIds) {
    if (signal.aborted) break;
    const running = engine.running(sessionId);
    running?.cancel();
    await running?.done;
    if (what === "memories") {
      const forgotten = await memory.forget({ by: "session", sessionId }, signal);
      if (!forgotten.ok) return forgotten;
    }
    const gone = await log.delete(sessionId);
    if (!gone.ok) return gone;
    if (gone.value.deleted) deleted += 1;
  }
  return success(deleted);
}

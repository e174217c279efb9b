import type { AskOptions, Engine, TurnOutcome } from "../../../src/agent/engine-port.ts";
import { success, type FailureCode, type Result } from "../../../src/agent/failure.ts";
import type { Timer } from "../../../src/agent/timer.ts";

/** Failures that are the server's and no answer's: whatever is asked next would fail as well. */
const NOBODY_THERE: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "server_unreachable",
  "unauthorized",
  "model_missing",
  "no_model",
]);

/** What is asked in a turn. */
export interface TurnWish {
  readonly question: string;
  /** Left out: a new session begins. */
  readonly sessionId?: string;
  readonly options?: AskOptions;
}

/** A turn that has ended. */
export interface PlayedTurn extends TurnOutcome {
  readonly sessionId: string;
  readonly turnId: string;
  /** It was cancelled because its time was up. */
  readonly isLate: boolean;
}

/** Asks and waits for the end of the turn, which is cancelled after so many milliseconds. Fails where nobody answers. */
export async function playTurn(
  engine: Engine,
  wish: TurnWish,
  limit: { readonly ms: number; readonly timer: Timer },
  signal: AbortSignal,
): Promise<Result<PlayedTurn>> {
  const started = await engine.ask({ ...wish, door: "cli" }, signal);
  if (!started.ok) return started;
  const { sessionId, turnId, done } = started.value;
  const time = { isUp: false };
  const stop = limit.timer(limit.ms, () => {
    time.isUp = true;
    started.value.cancel();
  });
  const ended = await done;
  stop();
  if (ended.error !== undefined && NOBODY_THERE.has(ended.error.code))
    return { ok: false, failure: ended.error };
  return success({ ...ended, sessionId, turnId, isLate: time.isUp && ended.outcome !== "answered" });
}

import { raceAbort } from "../timer.ts";
import type { TurnDeps } from "../turn-types.ts";

/**
 * Runs work that is given up after `ms` milliseconds or when the turn is cancelled; nothing then, or when it throws.
 * Never rejects.
 */
export async function within<T>(
  ms: number,
  { signal, timer }: Pick<TurnDeps, "signal" | "timer">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const cancelTimer = timer(ms, stop);
  const raced = await raceAbort(own.signal, () => work(own.signal));
  cancelTimer();
  signal.removeEventListener("abort", stop);
  return raced.kind === "value" ? raced.value : undefined;
}

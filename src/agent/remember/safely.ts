import { CANCELLED, describeError, failed, type Result } from "../failure.ts";
import { raceAbort } from "../timer.ts";

/** What memory answers when it is taught; a memory that throws or hangs past the signal is a failure like any other. */
export async function safely<T>(signal: AbortSignal, work: () => Promise<Result<T>>): Promise<Result<T>> {
  const raced = await raceAbort(signal, work);
  if (raced.kind === "value") return raced.value;
  if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
  const cause = describeError(raced.error);
  return failed("memory_unavailable", "Nothing was learnt: memory broke down.", { cause });
}

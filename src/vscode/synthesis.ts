import type { Engine, RunningTurn } from "../agent/engine-port.ts";
import type { Door } from "../agent/events.ts";
import type { Result } from "../agent/failure.ts";
import { makeSynthesis } from "../trace/fork/make-fork.ts";
import type { TraceLog } from "../trace/log.ts";

/**
 * Sums up once more what a committee said in a turn: a branch of that turn in which all members say what they said. No
 * member is asked again.
 */
export async function askForSynthesis(
  { engine, log }: { readonly engine: Engine; readonly log: Pick<TraceLog, "read" | "flush"> },
  turn: { readonly sessionId: string; readonly turnId: string },
  door: Door,
): Promise<Result<RunningTurn>> {
  const made = await makeSynthesis(log, turn, door);
  return made.ok ? await engine.ask(made.value) : made;
}

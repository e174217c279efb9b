import type { Engine, RunningTurn } from "../agent/engine-port.ts";
import type { Door } from "../agent/events.ts";
import type { Result } from "../agent/failure.ts";
import { readDeliberation } from "../trace/kept-rounds.ts";
import type { TraceLog } from "../trace/log.ts";

/** Sums up once more what a committee said in a turn, as a new turn of its session. No member is asked again. */
export async function askForSynthesis(
  { engine, log }: { readonly engine: Engine; readonly log: Pick<TraceLog, "read" | "flush"> },
  turn: { readonly sessionId: string; readonly turnId: string },
  door: Door,
): Promise<Result<RunningTurn>> {
  const kept = await readDeliberation(log, turn);
  if (!kept.ok) return kept;
  const { question, references, rounds } = kept.value;
  const options = { committee: {}, synthesisOf: rounds };
  return await engine.ask({ question, references, door, sessionId: turn.sessionId, options });
}

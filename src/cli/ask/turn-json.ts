import type { RunningTurn, TurnOutcome } from "../../agent/engine-port.ts";
import type { TurnEvent } from "../../agent/events.ts";
import { callsOf } from "../eval/calls.ts";
import { eventsOf, usageOf } from "../eval/measure.ts";

/** A turn as one JSON object, as `conclave ask --json` prints it. */
export function turnAsJson(
  events: readonly TurnEvent[],
  { outcome, answer, error, output }: TurnOutcome,
  { sessionId, turnId }: Pick<RunningTurn, "sessionId" | "turnId">,
): Readonly<Record<string, unknown>> {
  const thinking = eventsOf(events, "response.generation").at(-1)?.data.thinking ?? "";
  const sources = eventsOf(events, "answer.dialog").at(-1)?.data["conclave.sources"] ?? [];
  return {
    ...{ outcome, answer, thinking, sessionId, turnId, sources },
    model: eventsOf(events, "model.start").at(-1)?.data["gen_ai.request.model"] ?? "",
    tools: callsOf(events).map(({ name, arguments: given, error: problem }) => ({
      ...{ name, arguments: given },
      ...(problem && { error: problem.message }),
    })),
    ...usageOf(events),
    ...(output && { output: output.value }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}

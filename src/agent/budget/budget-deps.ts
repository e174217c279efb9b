import type { LoopDeps, LoopInput } from "../loop/types.ts";
import type { AgentJob, TurnDeps, TurnInput } from "../turn-types.ts";
import { createSumUp } from "./summarise.ts";

/** What one run of the loop needs to keep its context from overflowing. */
export function budgetDeps(
  { model, runner }: LoopInput,
  { host }: AgentJob,
  { settings }: TurnInput,
  deps: TurnDeps,
): Pick<LoopDeps, "counts" | "sumUp"> {
  const { lessons, signal, timer } = deps;
  const sumUp = createSumUp({
    ...{ settings, signal, timer, runner },
    answering: model,
    find: (name) => deps.model(name, host),
    gate: deps.gate(host),
    calibration: (name) => lessons.calibration(name),
  });
  return {
    counts: {
      counted: (prompt) => lessons.counted(model.name, prompt),
      refused: (prompt) => lessons.refused(model.name, prompt),
    },
    ...(sumUp && { sumUp }),
  };
}

import type { ContextCompacted } from "../events-context.ts";
import type { Run } from "../loop/types.ts";

type Compaction = ContextCompacted["data"];

/** Tells what was taken out of what is sent; `before` and `after` are plain estimates. Gives the event's id. */
export function compacted(run: Run, stepId: string, data: Compaction, id?: string): string {
  const { calibration, contextLength } = run.input.context;
  return run.deps.emitter.emit(
    "context.compacted",
    { ...(id !== undefined && { id }), parentId: stepId, stepId },
    {
      ...data,
      before: Math.round(data.before * calibration),
      after: Math.round(data.after * calibration),
      "conclave.context_length": contextLength,
    },
  );
}

/** Tells that the oldest turns are no longer sent. */
export function warnContextCut(run: Run, dropped: number, of: number, stepId: string): void {
  const { contextLength } = run.input.runner;
  run.deps.emitter.warn(
    "context_cut",
    `The oldest ${dropped} of ${of} earlier turns were left out: they don't fit the context of ${contextLength} tokens.`,
    { left_out: dropped, turns: of, context_length: contextLength },
    stepId,
  );
}

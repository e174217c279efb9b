import type { EventOf, TurnEvent } from "../../../agent/events.ts";
import type { TraceDraft } from "./draft.ts";
import { ATTRIBUTES as A, OPERATIONS } from "./names.ts";
import { usage, whole } from "./values.ts";

/** A piece of work whose data is ours alone: it is kept as it is, as JSON. */
export function workflow(name: (event: TurnEvent) => string): (trace: TraceDraft, event: TurnEvent) => void {
  return (trace, event) => {
    const called = name(event);
    trace.begin(
      event,
      { name: `${OPERATIONS.workflow} ${called}` },
      { [A.operation]: OPERATIONS.workflow, [A.workflow]: called, [A.data]: whole(event.data) },
    );
  };
}

/** The end of such a piece of work. */
export const workflowEnd = (
  trace: TraceDraft,
  event: EventOf<"committee.end"> | EventOf<"sandbox.end"> | EventOf<"round.end">,
): void => {
  const ending = event.type === "round.end" ? {} : { outcome: event.data.outcome };
  const error = event.type === "sandbox.end" ? event.data.error : undefined;
  trace.end(
    event.id,
    event.time,
    { ...ending, ...(error !== undefined && { error }) },
    { ...(event.type === "round.end" ? {} : usage(event.data)), [A.endData]: whole(event.data) },
  );
};

/** Something that happened within a span, with its data as JSON. */
export function marked(name: string): (trace: TraceDraft, event: TurnEvent) => void {
  return (trace, event) => {
    trace.mark(event, name, { [A.type]: event.type, [A.data]: whole(event.data) });
  };
}

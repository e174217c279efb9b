import type { EventOf } from "../agent/events.ts";
import { addCell, agentOf, touch } from "./fold-cells.ts";
import type { TurnModel } from "./model.ts";

/** The object that a structured agent gave, or why it gave none. */
export function foldOutput(turn: TurnModel, event: EventOf<"output.structured">): void {
  const { schema, value, repaired, error } = event.data;
  addCell(turn, event, {
    kind: "output",
    schema,
    repaired,
    ...(value !== undefined && { value }),
    ...(error !== undefined && { error }),
    status: error === undefined ? "done" : "failed",
    end: event.time,
  });
}

/** How a context is shared out: the turn's latest, and that of the agent whose model is called. */
export function foldBudget(turn: TurnModel, event: EventOf<"context.budget">): void {
  turn.budget = event.data;
  const agent = agentOf(turn, event);
  if (agent !== undefined) agent.budget = event.data;
}

/** Something was taken out of what is sent. */
export function foldCompacted(turn: TurnModel, event: EventOf<"context.compacted">): void {
  const { how, before, after, turns, summary, error } = event.data;
  const model = event.data["gen_ai.request.model"];
  addCell(turn, event, {
    kind: "compaction",
    ...{ how, before, after, turns },
    ...(summary !== undefined && { summary }),
    ...(model !== undefined && { model }),
    ...(error !== undefined && { error }),
    status: error === undefined ? "done" : "failed",
    end: event.time,
  });
}

/** A summary was taken back: the turn that it was made in says so; of other turns it says nothing. */
export function foldRestored(turn: TurnModel, event: EventOf<"context.restored">): void {
  touch(turn, event.data.compaction, (cell) => {
    if (cell.kind === "compaction") cell.restored = true;
  });
}

import type { EventOf } from "../agent/events.ts";
import { addCell, agentOf, endCell } from "./fold-cells.ts";
import type { TurnModel } from "./model.ts";

/** A tool is called. */
export function foldToolRequest(turn: TurnModel, event: EventOf<"tool.request">): void {
  const { data } = event;
  const recovered = data["conclave.recovered_from"];
  addCell(turn, event, {
    kind: "tool",
    name: data.name,
    arguments: data.arguments,
    mended: data["conclave.mended"] ?? [],
    ...(recovered === undefined ? {} : { recoveredFrom: recovered }),
    ...(data["conclave.chained"] === true && { chained: true as const }),
    attempts: 1,
  });
  const agent = agentOf(turn, event);
  if (agent !== undefined) agent.toolCalls += 1;
}

/** A tool's call ended. */
export function foldToolResult(turn: TurnModel, event: EventOf<"tool.result">): void {
  const cell = turn.cells.get(event.id);
  if (cell?.kind !== "tool" || cell.status !== "running") return;
  const { result, details, error } = event.data;
  if (result !== undefined) cell.result = result;
  if (details !== undefined) cell.details = details;
  if (error !== undefined) cell.error = error;
  cell.attempts = event.data["conclave.attempts"];
  cell.durationMs = event.data["conclave.duration_ms"];
  const failedAs = error?.code === "cancelled" ? "cancelled" : "failed";
  endCell(cell, event.time, error === undefined ? "done" : failedAs);
}

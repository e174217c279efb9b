import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { turnOutput } from "../../../src/trace/notebook/make-output.ts";
import type { TurnOutput } from "../../../src/trace/notebook/turn-output.ts";
import { cacheTurn } from "../../unit/trace/support/cache-turn.ts";

/** Events as the output of a cell. */
export function outputOf(
  events: readonly TurnEvent[],
  more: Partial<Parameters<typeof turnOutput>[0]> = {},
): TurnOutput {
  const [first] = events;
  assert.ok(first);
  const kept = events.filter(({ type }) => type !== "model.delta");
  return turnOutput({ sessionId: first.sessionId, turnId: first.turnId, events: kept, ...more });
}

/** The events of a turn that is told. */
export function gathered(tell: (sink: (event: TurnEvent) => void) => unknown): TurnEvent[] {
  const events: TurnEvent[] = [];
  tell((event) => events.push(event));
  return events;
}

/** The turn of the drawing. */
export const cache = (): TurnEvent[] => gathered(cacheTurn);

import assert from "node:assert/strict";
import type { EventOf, TurnEvent, TurnEventType } from "../../../../src/agent/events.ts";
import { foreignEvents } from "../../../../src/trace/files/foreign-events.ts";
import { bufferSource } from "../../../../src/trace/files/source.ts";
import { foldEvent } from "../../../../src/trace/fold.ts";
import { emptyTurn, type TurnModel } from "../../../../src/trace/model.ts";

/** What was told of a file. */
export interface Told {
  readonly events: readonly TurnEvent[];
  readonly notes: readonly string[];
}

export async function told(text: string | Uint8Array): Promise<Told> {
  const from = await foreignEvents(bufferSource(typeof text === "string" ? Buffer.from(text) : text));
  const events: TurnEvent[] = [];
  for await (const event of from.events(new AbortController().signal)) events.push(event);
  return { events, notes: from.notes() };
}

export function gathered(tell: (sink: (event: TurnEvent) => void) => unknown): readonly TurnEvent[] {
  const events: TurnEvent[] = [];
  tell((event) => events.push(event));
  return events;
}

export function foldAll(events: readonly TurnEvent[]): TurnModel {
  const [first] = events;
  assert.ok(first);
  const turn = emptyTurn(first.sessionId, first.turnId, first.time);
  for (const event of events) foldEvent(turn, event);
  return turn;
}

export function of<Type extends TurnEventType>(
  events: readonly TurnEvent[],
  type: Type,
): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

import type { AskOptions, Engine } from "../../../../src/agent/engine-port.ts";
import type { ForkEdit, ForkOptions } from "../../../../src/agent/events-fork.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { optionsOf } from "../../../../src/agent/fork/options.ts";
import { editFor } from "../../../../src/agent/fork/edits.ts";
import { ask, only, type WholeTurn } from "../support.ts";

/** What a test's fork is like. */
export interface ForkPart {
  readonly eventId?: string;
  readonly edits?: readonly ForkEdit[];
  readonly chosen?: ForkOptions;
  readonly options?: AskOptions;
}

/** Branches off a turn, as the product does, and runs the branch to its end. */
export function branch(engine: Engine, of: WholeTurn, part: ForkPart = {}): Promise<WholeTurn> {
  const { turnId } = of.end;
  const { eventId, edits = [], chosen = {} } = part;
  const events: readonly TurnEvent[] = of.events.filter(({ type }) => type !== "model.delta");
  const asked = only(events, "query.received").data;
  const fork = { turnId, ...(eventId !== undefined && { eventId }), edits };
  return ask(engine, editFor(fork, "question") ?? asked.query, {
    sessionId: of.sessionId,
    ...(asked.references && { references: asked.references }),
    fork: { ...fork, events },
    options: part.options ?? optionsOf(events, chosen),
  });
}

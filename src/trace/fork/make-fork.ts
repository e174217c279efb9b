import { editFor } from "../../agent/fork/edits.ts";
import { optionsOf } from "../../agent/fork/options.ts";
import type { AskRequest } from "../../agent/engine-port.ts";
import type { ForkEdit, ForkOptions } from "../../agent/events-fork.ts";
import type { Door, EventOf, TurnEvent } from "../../agent/events.ts";
import { failed, success, type Result } from "../../agent/failure.ts";
import { isTombstone } from "../tombstone.ts";
import { readTurn, type TurnLog, type TurnRef } from "./read-turn.ts";

/** What the user wants of a fork. */
export interface WantedFork extends TurnRef {
  /** Where it branches off; left out: at the turn's question. */
  readonly eventId?: string;
  readonly edits: readonly ForkEdit[];
  readonly options?: ForkOptions;
}

/** The question that asks for a fork; fails in words where nothing can branch off the turn. */
export async function makeFork(log: TurnLog, wanted: WantedFork, door: Door): Promise<Result<AskRequest>> {
  const { sessionId, turnId, eventId, edits, options = {} } = wanted;
  const read = await readTurn(log, wanted);
  if (!read.ok) return read;
  const events = read.value;
  const asked = events.find((event): event is EventOf<"query.received"> => event.type === "query.received");
  if (asked === undefined)
    return failed(
      "bad_input",
      "The trace does not hold the question of this turn, so nothing can branch off it.",
    );
  const isChosen = Object.keys(options).length > 0;
  const fork = {
    ...{ turnId, edits, events },
    ...(eventId !== undefined && { eventId }),
    ...(isChosen && { options }),
    ...(hasForgottenPast(events) && { newPast: true as const }),
  };
  return success({
    question: editFor(fork, "question") ?? asked.data.query,
    references: asked.data.references ?? [],
    ...{ door, sessionId, fork },
    options: optionsOf(events, options),
  });
}

/** Whether something of the conversation that a turn was given was forgotten since: tombstones stand in its requests. */
function hasForgottenPast(events: readonly TurnEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === "model.start" &&
      event.data["conclave.messages"].some(({ content }) => isTombstone(content)),
  );
}

/** The question that has what a committee said summed up once more; fails in words where it said nothing. */
export async function makeSynthesis(log: TurnLog, turn: TurnRef, door: Door): Promise<Result<AskRequest>> {
  const read = await readTurn(log, turn);
  if (!read.ok) return read;
  const committee = read.value.find(({ type }) => type === "committee.start");
  if (committee === undefined)
    return failed("bad_input", "The trace has nothing that this committee said. Ask it anew.");
  return makeFork(log, { ...turn, eventId: committee.id, edits: [] }, door);
}

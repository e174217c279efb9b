import type { Emitter } from "../emitter.ts";
import type { Company } from "../footing.ts";
import type { TurnDeps, TurnInput } from "../turn-types.ts";
import type { CommitteeTape } from "../fork/committee-tape.ts";
import type { Cast } from "./cast.ts";
import type { Sitting } from "./deliberation.ts";
import { createLedger } from "./ledger.ts";
import { lettersFor, type Letters } from "./material.ts";
import { recallOnce } from "./recall-once.ts";
import { spread } from "./places.ts";
import { roomsFor } from "./rooms.ts";
import type { CommitteeSettings } from "./settings.ts";
import { namedBySpeakers, seatsOf, sharedTools } from "./seat.ts";

/** A committee that is about to begin: servers, rooms and letters are settled. Never fails. */
export async function sit(
  input: TurnInput,
  settings: CommitteeSettings,
  cast: Cast,
  given: TurnDeps,
  emitter: Emitter,
): Promise<Sitting> {
  const deps = { ...given, memory: given.memory && recallOnce(given.memory) };
  const placed = await spread(cast, input, deps);
  const tools = sharedTools(input, placed);
  const rooms = await roomsFor(placed, settings, tools, input, deps);
  const names = placed.members.map(({ name }) => name);
  const tape = input.fork?.committee;
  const letters = tape === undefined ? lettersFor(names, input.turnId) : keptLetters(tape, names);
  const company: Company = { named: namedBySpeakers(placed), footings: new Map() };
  const seats = { company, seatOf: seatsOf(input, tools, placed) };
  const shared = { input, deps, emitter, settings, cast: placed, letters, rooms };
  return { ...shared, ...seats, ledger: createLedger(), ...(tape && { tape }) };
}

/** The letters of the committee that is branched off: what members heard then names them. */
function keptLetters({ letters, dealtBy }: CommitteeTape, names: readonly string[]): Letters {
  return names.every((name) => letters.has(name)) ? letters : lettersFor(names, dealtBy);
}

/** Tells that the committee begins: who speaks, with which model, and what it will send at most. */
export function begin({ input, emitter, settings, cast, rooms }: Sitting): void {
  emitter.emit(
    "committee.start",
    { id: emitter.agentId, parentId: input.turnId },
    {
      "conclave.strategy": settings.strategy,
      "conclave.rounds": settings.rounds,
      "conclave.personas": cast.members.map(({ name, model }) => ({ name, model })),
      // Samples are counted, nobody sums them up.
      "conclave.synthesizer": settings.strategy === "self-consistency" ? "" : cast.synthesizer.name,
      "conclave.estimated_tokens": rooms.estimate,
    },
  );
}

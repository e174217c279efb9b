import type { Emitter } from "../emitter.ts";
import type { JsonObject } from "../models/types.ts";
import { runSingle } from "../single.ts";
import { committeeSettings } from "../settings.ts";
import type { TurnAnswer, TurnDeps, TurnInput } from "../turn-types.ts";
import { castOf, MAX_MEMBERS, withSpeakers, type Cast } from "./cast.ts";
import { conclude } from "./conclude.ts";
import { hold } from "./hold.ts";
import { deliberate } from "./rounds.ts";
import { runSamples } from "./self-consistency.ts";
import { MAX_ROUNDS, type CommitteeSettings } from "./settings.ts";
import { sit } from "./sitting.ts";

/**
 * Lets a committee answer the turn: its members in rounds, then who sums them up. With fewer than two members the
 * single agent answers. Never throws: it always ends with an answer, or with a failure that names what went wrong.
 */
export function runCommittee(
  input: TurnInput,
  own: Partial<CommitteeSettings>,
  deps: TurnDeps,
  turn: Emitter,
): Promise<TurnAnswer> {
  const settings = bounded(committeeSettings(input.settings, own));
  if (settings.strategy === "single") return runSingle(input, deps, turn);
  if (settings.strategy === "self-consistency") return runSamples(input, settings, deps, turn);
  const cast = withSpeakers(castOf(input, settings), input.fork?.committee);
  warnMissing(cast, turn);
  if (cast.members.length < 2) {
    warnTooSmall(cast, turn);
    return runSingle(input, deps, turn);
  }
  const seat = () => sit(input, settings, cast, deps, turn);
  return hold(input, deps, seat, async (sitting) => conclude(await deliberate(sitting), sitting));
}

/** Settings as they can be worked with: whole numbers within their bounds. */
function bounded(settings: CommitteeSettings): CommitteeSettings {
  const whole = (value: number, least: number, most: number): number =>
    Number.isFinite(value) ? Math.min(most, Math.max(least, Math.floor(value))) : least;
  return {
    ...settings,
    rounds: whole(settings.rounds, 1, MAX_ROUNDS),
    steps: whole(settings.steps, 0, 100),
    samples: whole(settings.samples, 1, MAX_MEMBERS),
  };
}

function warnMissing({ unknown, tooMany, synthesizer }: Cast, turn: Emitter): void {
  for (const { name, near, broken, isSynthesizer } of unknown) {
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    const why =
      broken === undefined ? `There is no agent "${name}".` : `The file of ${name} can't be used: ${broken}.`;
    const instead = isSynthesizer ? `${synthesizer.name} sums up.` : "The committee goes on without it.";
    const message = `${why}${hint} ${instead}`;
    warnTurn(turn, "agent_unknown", message, { agent: name, ...(near !== undefined && { near }) });
  }
  if (tooMany.length === 0) return;
  const message = `A committee has ${MAX_MEMBERS} members at most; left out: ${tooMany.join(", ")}.`;
  warnTurn(turn, "agent_failed", message, { left_out: tooMany.length });
}

function warnTooSmall({ members }: Cast, turn: Emitter): void {
  const there = members.length === 0 ? "none is there" : "only one is there";
  const message = `A committee needs at least two personas, and ${there}: a single agent answers.`;
  warnTurn(turn, "committee_too_small", message, { members: members.length });
}

function warnTurn(
  turn: Emitter,
  code: "agent_unknown" | "agent_failed" | "committee_too_small",
  message: string,
  detail: JsonObject,
): void {
  turn.emit("warning", { parentId: turn.origin.turnId }, { code, message, detail });
}

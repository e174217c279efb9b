import type { EventSink } from "../../../../src/agent/events.ts";
import { failure } from "../../../../src/agent/failure.ts";
import { CommitteeScript, MEMBERS, MODEL, type Member } from "./committee-script.ts";
import { SteadyIdentity } from "./steady-identity.ts";

/** The turn of a committee of three and its synthesizer, as the engine tells it: two rounds, one member fails once. */
export function committeeTurn(
  sink: EventSink,
  options: {
    readonly identity?: SteadyIdentity;
    readonly sessionId?: string;
    readonly until?: number;
    readonly synthesis?: "missing";
  } = {},
): { readonly sessionId: string; readonly turnId: string } {
  const script = new CommitteeScript(sink, options.identity ?? new SteadyIdentity(), options.sessionId);
  const end = options.until ?? Infinity;
  const first = script.round(1);
  for (const [at, member] of MEMBERS.entries()) if (at < end) script.speaks(first, member, 0);
  if (end <= MEMBERS.length) return script;
  script.fails(first, "Newcomer's Advocate", failure("timeout", "It gave no answer within 600 s."));
  script.roundEnd(first, 1);
  const second = script.round(2);
  for (const member of MEMBERS) script.speaks(second, member, 1);
  script.roundEnd(second, 2, true);
  if (options.synthesis === "missing") script.standsIn();
  else script.sumsUp();
  return script;
}

/**
 * The turn of a committee of any size, whose members say long things.
 *
 * @param rounds how many rounds are told; the synthesis follows when they are as many as `of`
 */
export function largeCommitteeTurn(
  sink: EventSink,
  size: { readonly members: number; readonly rounds: number; readonly of?: number },
  identity = new SteadyIdentity(),
): CommitteeScript {
  const of = size.of ?? size.rounds;
  const words = "It holds as long as both replicas hear of every change, and nobody writes past the bus. ";
  const members = Array.from({ length: size.members }, (_, at): Member => ({
    name: `Persona ${at + 1}`,
    model: MODEL,
    said: Array.from({ length: of }, (__, round) => `Position of round ${round + 1}. ${words.repeat(12)}`),
  }));
  const script = new CommitteeScript(sink, identity, undefined, members, of);
  for (let index = 1; index <= size.rounds; index += 1) {
    const id = script.round(index);
    for (const member of members) script.speaks(id, member, index - 1);
    script.roundEnd(id, index);
  }
  if (size.rounds === of) script.sumsUp();
  return script;
}

import type { MemberTape } from "../fork/committee-tape.ts";
import type { AgentOutcome } from "../turn-types.ts";
import type { Sitting } from "./deliberation.ts";

/** What is looked at of what a member came to. */
export type SaidOutcome = Pick<AgentOutcome, "agentId" | "outcome" | "answer" | "error">;

/** Where a member spoke, and speaks again. */
export interface SpeakingPlace {
  /** The id of the round now. */
  readonly parentId: string;
  /** The id of the round then. */
  readonly was: string;
}

/** Tells again what a member did in the committee that is branched off. Nobody is asked, and no token counted. */
export function sayAgain(
  { events, agentId, outcome, answer, error, steps, sources }: NonNullable<MemberTape["said"]>,
  { parentId, was }: SpeakingPlace,
  { emitter, ledger }: Sitting,
): SaidOutcome {
  const ids = new Map([[was, parentId]]);
  emitter.repeat(events, ids);
  ledger.add({ usage: {}, steps, sources });
  return { agentId: ids.get(agentId) ?? agentId, outcome, answer, ...(error && { error }) };
}

import type { Position } from "../events-committee.ts";
import type { Failure } from "../failure.ts";
import type { Member } from "./cast.ts";

/** What one member said in one round, or why it said nothing. */
export interface Speech {
  readonly member: Member;
  /** Of the agent's span. */
  readonly agentId: string;
  /** Without the line on a change; empty with an error. */
  readonly answer: string;
  /** The position in one line where it gave one, else the answer. */
  readonly view: string;
  /** Against its last position before; absent in its first speech. */
  readonly changed?: boolean;
  readonly reason?: string;
  /** Whether it says nothing but what its speaker said before; absent in its first speech. */
  readonly isRepeated?: () => boolean;
  readonly error?: Failure;
}

/** Rounds as they were had: the speeches of each, in the order of the speakers. */
export type Rounds = readonly (readonly Speech[])[];

/** Where each member that ever answered stood last, in the order of the members. */
export function lastPositions(rounds: Rounds): readonly Speech[] {
  const last = new Map<string, Speech>();
  for (const speech of rounds.flat()) if (speech.error === undefined) last.set(speech.member.name, speech);
  return [...last.values()];
}

/** A speech as `round.end` tells it. */
export function positionOf({ member, agentId, answer, changed, reason, error }: Speech): Position {
  return {
    agent: member.name,
    agentId,
    model: member.model,
    answer,
    ...(changed !== undefined && { changed }),
    ...(reason !== undefined && { reason }),
    ...(error && { error }),
  };
}

import type { Emitter } from "../emitter.ts";
import type { Position } from "../events-committee.ts";
import type { Failure } from "../failure.ts";
import type { ChatMessage } from "../models/types.ts";
import type { TurnDeps, TurnInput } from "../turn-types.ts";
import type { Cast, Member } from "./cast.ts";
import type { Ledger } from "./ledger.ts";
import type { Letters } from "./material.ts";
import type { CommitteeSettings } from "./settings.ts";
import type { Rooms } from "./rooms.ts";

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
  readonly error?: Failure;
}

/** A committee at work: what all its parts need. */
export interface Sitting {
  readonly input: TurnInput;
  readonly deps: TurnDeps;
  /** Its span is the committee's. */
  readonly emitter: Emitter;
  readonly settings: CommitteeSettings;
  readonly cast: Cast;
  readonly letters: Letters;
  readonly rooms: Rooms;
  readonly ledger: Ledger;
  /** The question as it was sent, once it was. */
  question?: ChatMessage;
}

/** Whether the turn was cancelled by now. */
export function isCancelled({ deps }: Pick<Sitting, "deps">): boolean {
  return deps.signal.aborted;
}

/** Why the rounds ended. */
export type Stopped = "rounds" | "agreed" | "nothing_new" | "cancelled" | "failed";

/** What the rounds of a committee came to. */
export interface Deliberation {
  /** By round, in the order of the speakers. */
  readonly rounds: readonly (readonly Speech[])[];
  readonly stopped: Stopped;
}

/** Where each member that ever answered stood last, in the order of the members. */
export function lastPositions(rounds: readonly (readonly Speech[])[]): readonly Speech[] {
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

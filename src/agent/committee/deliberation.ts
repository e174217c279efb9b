import type { Emitter } from "../emitter.ts";
import type { ChatMessage } from "../models/types.ts";
import type { CommitteeTape } from "../fork/committee-tape.ts";
import type { Company } from "../footing.ts";
import type { TurnDeps, TurnInput } from "../turn-types.ts";
import type { Cast, Member } from "./cast.ts";
import type { Ledger } from "./ledger.ts";
import type { Letters } from "./material.ts";
import type { CommitteeSettings } from "./settings.ts";
import type { Rooms } from "./rooms.ts";
import type { Seat } from "./seat.ts";
import type { Speech } from "./speeches.ts";

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
  /** All its speakers, and who judges what they said. */
  readonly company: Company;
  readonly seatOf: (member: Member) => Seat;
  readonly ledger: Ledger;
  /** In a fork: what is told again before it goes on by itself. */
  readonly tape?: CommitteeTape;
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

import type { Position } from "../../agent/events-committee.ts";
import { readSpeech, readVote } from "../../agent/committee/speech.ts";

/** Whether an answer is right. Given the position in one line where the speaker put it so, else the whole answer. */
export type IsRight = (answer: string) => boolean;

/** Where a member stood once. */
export interface Stand {
  /** The round, from 1. */
  readonly round: number;
  readonly answer: string;
  /** The position in one line where there is one, else the answer. */
  readonly view: string;
  /** Absent where it was not told what is right. */
  readonly right?: boolean;
}

/** Where somebody stood in a round; without `stand` it gave no answer. */
export interface Said {
  readonly agent: string;
  readonly changed: boolean;
  readonly stand?: Stand;
}

/** Whether it answered. */
export function hasStand(said: Said): said is Said & { readonly stand: Stand } {
  return said.stand !== undefined;
}

/** What a member said in a round, as `round.end` tells it. */
export function saidBy(
  position: Position,
  round: number,
  strategy: string,
  isRight: IsRight | undefined,
): Said {
  const { agent, answer, changed = false, error } = position;
  if (error !== undefined) return { agent, changed: false };
  const view = viewOf(answer, strategy);
  return { agent, changed, stand: { round, answer, view, ...(isRight && { right: isRight(view) }) } };
}

/** What an answer holds in one line, where it has one: samples end with their vote, members begin with their position. */
export function viewOf(answer: string, strategy: string): string {
  return strategy === "self-consistency" ? readVote(answer) : readSpeech(answer).view;
}

import { isDeepStrictEqual } from "node:util";
import type { ToolCall } from "../models/types.ts";
import type { Runaway } from "../protocol.ts";

/** Calls that are taken of one message. A model that makes more has lost its way: nothing it called has come back yet. */
export const MOST_CALLS = 8;

/** A tail counts as repeating from so much text on, in UTF-16 units: some ten seconds of a small model. */
const LEAST_REPEATED = 1_600;
/** The longest block that is looked for: with `LEAST_REPEATED` it must have come at least four times. */
const LONGEST_BLOCK = 400;
/** How often the tail is looked at: after so much new text. */
const LOOK_EVERY = 400;

/** Watches a reply as it comes and tells when it will come to nothing more. */
export class RunawayWatch {
  #calls: readonly ToolCall[] = [];
  #tail = "";
  #unseen = 0;

  /** Takes calls that the server reports. */
  calls(calls: readonly ToolCall[]): Runaway | undefined {
    this.#calls = [...this.#calls, ...calls];
    return tooManyCalls(this.#calls);
  }

  /** Takes the next piece of the answer or of the thinking. */
  text(piece: string): Runaway | undefined {
    this.#tail = (this.#tail + piece).slice(-LEAST_REPEATED);
    this.#unseen += piece.length;
    if (this.#unseen < LOOK_EVERY || this.#tail.length < LEAST_REPEATED) return undefined;
    this.#unseen = 0;
    return isOneBlockRepeated(this.#tail) ? "repeats" : undefined;
  }
}

/** What is wrong with so many calls in one message. */
export function tooManyCalls(calls: readonly Omit<ToolCall, "id">[]): Runaway | undefined {
  if (distinctCalls(calls).length < calls.length) return "same_call";
  return calls.length > MOST_CALLS ? "too_many_calls" : undefined;
}

/** The calls of a message without those that were made in it before. */
export function distinctCalls<T extends Omit<ToolCall, "id">>(calls: readonly T[]): readonly T[] {
  return calls.filter((call, at) => !calls.slice(0, at).some((earlier) => isSame(earlier, call)));
}

function isSame(one: Omit<ToolCall, "id">, other: Omit<ToolCall, "id">): boolean {
  return one.name === other.name && isDeepStrictEqual(one.arguments, other.arguments);
}

/** Whether a text is one block over and over, be it cut at both ends. */
function isOneBlockRepeated(text: string): boolean {
  // The last signs come again one block earlier; where they do not, no block of that length repeats.
  const end = text.slice(-LONGEST_BLOCK / 4);
  let from = text.length - end.length - 1;
  while (from >= 0) {
    const before = text.lastIndexOf(end, from);
    const length = text.length - end.length - before;
    if (before < 0 || length > LONGEST_BLOCK) return false;
    if (text.slice(length) === text.slice(0, -length)) return true;
    from = before - 1;
  }
  return false;
}

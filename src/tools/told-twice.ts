import type { AnyHit } from "../agent/memory/port.ts";

/** Words shorter than this say nothing of what a line is about, in letters. */
const SHORTEST = 4;
/** How a statement is told, around what it states. */
const TOLD = /^(?:IS|WILL BE) | \((?:current|planned), [^()]*\)$/g;

/** A turn that the model is given. */
export interface GivenTurn {
  readonly turnId: string;
  /** As the model reads it. */
  readonly line: string;
}

/**
 * Whether a fact or relationship says nothing beside the turns that are given: the turn it was learnt from is one of
 * them, and the model can read there what it states.
 */
export function isToldAlready({ saidIn, text }: AnyHit, given: readonly GivenTurn[]): boolean {
  const line = saidIn === undefined ? undefined : given.find(({ turnId }) => turnId === saidIn)?.line;
  if (line === undefined) return false;
  const stated = text.replace(TOLD, "");
  // Told with the day that "tomorrow" stood for it says more than its turn.
  const numbers = stated.match(/\p{N}[\p{N}:.,-]*/gu) ?? [];
  if (!numbers.every((number) => line.includes(number))) return false;
  const words = wordsOf(stated).filter((word) => word !== "user");
  const there = new Set(wordsOf(line).map(stem));
  // One word is enough to make a statement another one: the user may have corrected it.
  return words.every((word) => there.has(stem(word)));
}

function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => word.length >= SHORTEST);
}

function stem(word: string): string {
  return word.length > SHORTEST ? word.replace(/(?:ing|es|ed|s)$/, "") : word;
}

import type { Episode } from "../../agent/memory/port.ts";

/** What of a turn is embedded with its neighbours, in UTF-16 units: a model reads some 512 tokens. */
const MIDDLE = 1_000;
/** What of each neighbour. */
const BESIDE = 300;
/** How many turns on each side belong to a window. */
export const WINDOW_TURNS = 2;

/** A turn's words. */
export type Said = Pick<Episode, "question" | "answer">;

/**
 * The text whose embedding stands for a turn. Without its date, unlike the text that is searched by words: the date
 * draws all turns of a day together and says nothing of their meaning.
 */
export function embeddedText({ question, answer }: Said): string {
  return [question, answer].filter((part) => part.trim() !== "").join("\n");
}

/**
 * The text whose embedding stands for a turn in its conversation: the turns before it, itself, the turns after it, in
 * the order they were said. A turn often makes sense only by what it answers. Each neighbour is cut short, its end
 * kept before the turn and its beginning after it, so that the turn itself is always read.
 */
export function windowText(previous: readonly Said[], turn: Said, next: readonly Said[]): string {
  return [
    ...previous.slice(-WINDOW_TURNS).map((said) => embeddedText(said).slice(-BESIDE)),
    embeddedText(turn).slice(0, MIDDLE),
    ...next.slice(0, WINDOW_TURNS).map((said) => embeddedText(said).slice(0, BESIDE)),
  ]
    .join("\n")
    .toWellFormed();
}

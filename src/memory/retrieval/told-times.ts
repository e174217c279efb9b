import { resolveTimeWords } from "../../agent/time-words.ts";
import type { AskedRange } from "./analyze.ts";

/** What of a text is looked through for time words, in UTF-16 units. */
const MAX_TEXT = 4_000;

/**
 * How well a memory fits the time a question asks about, 0..1: 1 when it was said then, else how much of a time that
 * its words name lies within it. Relative words count from the moment they were said: told on 18 April, "last month"
 * is March.
 */
export function timeFit(
  { from, to }: Pick<AskedRange, "from" | "to">,
  said: { readonly time: number; readonly text: string },
  timeZone: string,
): number {
  if (wasSaidThen({ from, to }, said.time)) return 1;
  let best = 0;
  for (const told of resolveTimeWords(said.text.slice(0, MAX_TEXT), said.time, timeZone)) {
    const common = Math.min(told.to, to) - Math.max(told.from, from) + 1;
    if (common > 0) best = Math.max(best, common / (told.to - told.from + 1));
  }
  return best;
}

/** Whether something was said within a range. */
export function wasSaidThen({ from, to }: Pick<AskedRange, "from" | "to">, time: number): boolean {
  return time >= from && time <= to;
}

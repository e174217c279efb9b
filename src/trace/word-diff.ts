import { diffWordsWithSpace } from "diff";

/** A run of words that two texts share, or that only one of them has. */
export interface WordRun {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Texts longer than this together, in UTF-16 units, are compared by their ends only. */
const MAX_LENGTH = 200_000;

/** Changes beyond which two texts count as different altogether: finding the fewest takes the square of them. */
const MAX_EDITS = 2_000;

/**
 * What changed between two texts, word by word, in reading order: what was removed stands before what was added in its
 * place. All `same` and `removed` runs together are `before`, all `same` and `added` ones `after`. Takes a bounded time:
 * texts that are too long or too different come back as their common beginning and end with one change between.
 */
export function diffWords(before: string, after: string): readonly WordRun[] {
  if (before === after) return before === "" ? [] : [{ kind: "same", text: before }];
  const start = sharedStart(before, after);
  const end = sharedEnd(before, after, start);
  const middle = changes(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [run("same", before.slice(0, start)), middle, run("same", before.slice(before.length - end))].flat();
}

/** With less than this share of their letters in common, marks on all the rest only keep texts from being read. */
const ENOUGH_SHARED = 0.3;

/** Whether two texts have so much in common that their differences say something. */
export function areAlike(runs: readonly WordRun[]): boolean {
  const letters = (kind: WordRun["kind"]): number =>
    runs.reduce(
      (sum, each) => sum + (each.kind === kind ? each.text.replaceAll(/[^\p{L}\p{N}]/gu, "").length : 0),
      0,
    );
  const same = letters("same");
  return same >= ENOUGH_SHARED * (same + Math.max(letters("added"), letters("removed")));
}

function changes(before: string, after: string): readonly WordRun[] {
  const whole = [...run("removed", before), ...run("added", after)];
  if (before === "" || after === "" || before.length + after.length > MAX_LENGTH) return whole;
  const found = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (found === undefined) return whole;
  return found.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

function run(kind: WordRun["kind"], text: string): readonly WordRun[] {
  return text === "" ? [] : [{ kind, text }];
}

/** How much two texts share from their beginning, to the end of a word. */
function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return atWordEdge(one, at);
}

/** How much they share before their end, from the beginning of a word on, beside what they share at the start. */
function sharedEnd(one: string, other: string, start: number): number {
  const most = Math.min(one.length, other.length) - start;
  let length = 0;
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) length += 1;
  while (length > 0 && !/\s/.test(one[one.length - length] ?? "")) length -= 1;
  return length;
}

/** The nearest place at or before `at` that follows a white space; nothing is cut within a word or a character. */
function atWordEdge(text: string, at: number): number {
  let edge = at;
  while (edge > 0 && !/\s/.test(text[edge - 1] ?? "")) edge -= 1;
  return edge;
}

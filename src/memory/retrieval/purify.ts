import { heldShare } from "./edited.ts";
import type { Views } from "./fuse.ts";

/**
 * From how alike a row must be to be about a question, for one row, and what that grows by with the number of rows: a
 * ranking only says which rows are the least off, and the likest of many unrelated rows is likelier to look alike.
 * Measured with the embedder in use: unrelated texts have a mean of 0.03 and one pair in a hundred above 0.23; of
 * questions about what was said in some 600 turns one in a hundred finds nothing above 0.38.
 */
const LEAST_ALIKE = 0.18;
const PER_SIZE = 0.02;
const MOST_NEEDED = 0.3;
/** This share of a question's words speaks for a row even where its meaning does not. */
const ENOUGH_WORDS = 0.5;

/** How alike the likest of so many rows must be for a question to be about any of them. */
export function leastAlike(rows: number): number {
  return Math.min(MOST_NEEDED, LEAST_ALIKE + PER_SIZE * Math.log(Math.max(1, rows)));
}

/**
 * Whether a row is about a question whose meaning nothing comes near to: a name or a number may mean nothing to the
 * embedder. What the row has of meaning and of words adds up.
 *
 * @param similarity to the question; undefined when the row was not embedded yet: nothing speaks against it then
 * @param share of the question's words that it holds, 0..1
 */
export function isAbout(similarity: number | undefined, share: number, least: number): boolean {
  if (similarity === undefined) return true;
  return Math.max(0, similarity) / least + share / ENOUGH_WORDS >= 1;
}

/** Says of a memory whether the question is about it at all. */
export type Judge = (memory: { readonly id: string; readonly text: string }) => boolean;

/** What was found, among how much, for which words. */
export interface Judged {
  readonly views: Views;
  /** Every embedded row was looked at: one that the embeddings did not find waits for its embedding. */
  readonly wholly?: boolean;
  /** How many rows the store holds. */
  readonly rows: number;
  readonly words: readonly string[];
}

/**
 * What is near to the question's meaning speaks for all that was found; where nothing is, each is looked at by itself.
 * Without embeddings all that was found holds words of the question, or stands beside what does.
 */
export function judgeOf({ views, wholly, rows, words }: Judged): Judge {
  const similarities = views.vector;
  const least = leastAlike(rows);
  const likest = Math.max(-1, ...(similarities?.values() ?? []));
  if (similarities === undefined || likest >= least) return () => true;
  // A row that is not among the nearest is at most as alike as the last of them.
  const others = wholly === true ? undefined : Math.min(1, ...similarities.values());
  return ({ id, text }) => isAbout(similarities.get(id) ?? others, heldShare(text, words), least);
}

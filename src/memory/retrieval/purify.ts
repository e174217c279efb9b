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

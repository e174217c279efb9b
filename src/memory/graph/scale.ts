/** The full-text score that counts for half; scores of other kinds are brought to the same 0..1. */
const HALF_SCORE = 6;

/** A BM25 score as 0..1: the same score is worth the same in every table, whatever else was found. */
export function scaledText(score: number): number {
  return score <= 0 ? 0 : score / (score + HALF_SCORE);
}

/** Cosines below this say nothing, above that one they mean the same. */
const LOW_COSINE = 0.15;
const HIGH_COSINE = 0.75;

/** A cosine similarity as 0..1. */
export function scaledCosine(similarity: number): number {
  return Math.min(1, Math.max(0, (similarity - LOW_COSINE) / (HIGH_COSINE - LOW_COSINE)));
}

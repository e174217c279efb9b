import { nearestName } from "../nearest-name.ts";

/** Longer names are not typed by hand. */
const MAX_LENGTH = 60;

/** The name that was probably meant: the most similar one, or one that a few wrong or swapped letters make of it. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const near = nearestName(name, known);
  if (near !== undefined || name.length > MAX_LENGTH) return near;
  const wrong = known.map((candidate) => ({
    candidate,
    letters: wrongLetters(name.toLowerCase(), candidate.toLowerCase()),
  }));
  const [best] = wrong.sort((a, b) => a.letters - b.letters);
  return best !== undefined && best.letters <= Math.max(1, name.length / 4) ? best.candidate : undefined;
}

/** How many letters must be put in, left out, changed or swapped with the next to make one word of another. */
function wrongLetters(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const steps = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same];
      row.push(Math.min(...steps, ...(swapped ? [(before[j - 2] ?? 0) + 1] : [])));
    }
    [before, last] = [last, row];
  }
  return last[other.length] ?? 0;
}

/** The most similar of some names, or nothing when none is similar: shared words count, and shared pairs of letters. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestScore = 0.4;
  for (const candidate of known) {
    const score = Math.max(overlap(words(name), words(candidate)), overlap(pairs(name), pairs(candidate)));
    if (score > bestScore) [best, bestScore] = [candidate, score];
  }
  return best;
}

function words(name: string): Set<string> {
  const split = name.slice(0, 80).replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return new Set(split.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function pairs(name: string): Set<string> {
  const plain = name
    .slice(0, 80)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  const found = new Set<string>();
  for (let at = 0; at + 1 < plain.length; at += 1) found.add(plain.slice(at, at + 2));
  return found;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((part) => other.has(part)).length;
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size);
}

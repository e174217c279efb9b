/** Most parts of one text that are embedded; what comes after them counts nothing. */
const MAX_PARTS = 8;

/** Cuts a text into parts that a model reads whole, at a line's or a word's end where there is one near. */
export function partsOf(text: string, size: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > size && parts.length < MAX_PARTS - 1) {
    const end = cutAt(rest, size);
    parts.push(rest.slice(0, end).trim().toWellFormed());
    rest = rest.slice(end).trim();
  }
  return [...parts, rest.slice(0, size).toWellFormed()];
}

/** Where to cut: after the last line, sentence or word that ends in the part's second half. */
function cutAt(text: string, size: number): number {
  const head = text.slice(0, size);
  for (const end of ["\n", ". ", " "]) {
    const at = head.lastIndexOf(end);
    if (at >= size / 2) return at + end.length;
  }
  return size;
}

/** The vector of a part, and how much it counts. */
export interface Weighted {
  readonly vector: ArrayLike<number>;
  readonly weight: number;
}

/** The direction between vectors, of length 1; undefined when they have none, or are not vectors of one length. */
export function meanDirection(parts: readonly Weighted[]): Float32Array | undefined {
  const dimensions = parts[0]?.vector.length ?? 0;
  if (dimensions === 0 || parts.some(({ vector }) => vector.length !== dimensions)) return undefined;
  const sum = new Float64Array(dimensions);
  for (const { vector, weight } of parts) {
    const share = weight / (lengthOf(vector) || 1);
    for (let place = 0; place < dimensions; place += 1) {
      sum[place] = (sum[place] ?? 0) + (vector[place] ?? NaN) * share;
    }
  }
  const length = lengthOf(sum);
  return length > 0 && Number.isFinite(length)
    ? Float32Array.from(sum, (value) => value / length)
    : undefined;
}

function lengthOf(vector: ArrayLike<number>): number {
  return Math.sqrt(Array.from(vector).reduce((sum, value) => sum + value * value, 0));
}

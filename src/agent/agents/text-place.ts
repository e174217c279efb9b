/** A stretch of one line of a text; from 1, `endColumn` exclusive, columns in UTF-16 units as editors count them. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

/** Finds lines and columns of places in a text. */
export interface Places {
  /** The stretch from one offset to another, cut at the end of its first line. Offsets outside the text are moved into it. */
  at(from: number, to: number): Place;
}

/** Reads where the lines of a text begin: after `\n`, `\r\n` or a lone `\r`. */
export function placesOf(text: string): Places {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/gu)) starts.push(index + end.length);
  const lineOf = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const lengthOf = (line: number): number =>
    text.slice(starts[line], starts[line + 1] ?? text.length).replace(/[\r\n]+$/u, "").length;
  return {
    at: (from, to) => {
      const start = Math.max(0, Math.min(from, text.length));
      const line = lineOf(start);
      const length = lengthOf(line);
      const column = Math.min(start - (starts[line] ?? 0), length);
      const end = Math.min(Math.max(to, start + 1) - (starts[line] ?? 0), length);
      return { line: line + 1, column: column + 1, endColumn: Math.max(end, column) + 1 };
    },
  };
}

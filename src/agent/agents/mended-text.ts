/** Takes `remove` units away at an offset and puts a text there. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** A text that was mended, and where each place of it stood before. */
export interface MendedText {
  readonly text: string;
  /** The offset in the text as it was written, of an offset in the mended one. */
  readonly original: (offset: number) => number;
}

/** A text that needed no mending. */
export function unmended(text: string): MendedText {
  return { text, original: (offset) => offset };
}

/** Makes edits, which must not overlap, in a text that may itself be a mended one. */
export function mend(before: MendedText, edits: readonly Edit[]): MendedText {
  const sorted = [...edits].sort((a, b) => a.at - b.at);
  const parts: string[] = [];
  /** Where a stretch begins: in the mended text, and in the text before. */
  const stretches: { readonly to: number; readonly from: number }[] = [{ to: 0, from: 0 }];
  let [read, written] = [0, 0];
  for (const { at, remove, insert } of sorted) {
    parts.push(before.text.slice(read, at), insert);
    written += at - read + insert.length;
    read = at + remove;
    stretches.push({ to: written, from: read });
  }
  parts.push(before.text.slice(read));
  return {
    text: parts.join(""),
    original: (offset) => {
      const next = stretches.findIndex(({ to }) => to > offset);
      const { to, from } = stretches.at(next < 0 ? -1 : next - 1) ?? { to: 0, from: 0 };
      const limit = next < 0 ? Infinity : (sorted[next - 1]?.at ?? Infinity);
      return before.original(Math.min(from + offset - to, limit));
    },
  };
}

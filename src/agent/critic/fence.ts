import { createHash } from "node:crypto";
import { wellFormed } from "../text.ts";

/** Puts texts in a prompt so that nothing in them can pass for what stands around them. */
export interface Fence {
  /** The lines that enclose a text of some kind, such as `answer`. */
  readonly around: (kind: string, text: string) => string;
  /** The mark of this fence, for instructions that speak of it. */
  readonly mark: string;
}

/**
 * A fence for these texts. Its mark is made from them, so that it is the same each time, and occurs in none of them:
 * no text can hold the mark that is made from itself.
 */
export function fenceFor(texts: readonly string[]): Fence {
  let mark = "";
  for (let count = 0; mark === "" || texts.some((text) => text.includes(mark)); count += 1) {
    const hash = createHash("sha256").update(String(count));
    for (const text of texts) hash.update(`\0${text.length}\0`).update(wellFormed(text));
    mark = hash.digest("hex").slice(0, 12);
  }
  return {
    mark,
    around: (kind, text) => `<<<${kind} ${mark}>>>\n${wellFormed(text)}\n<<<end of ${kind} ${mark}>>>`,
  };
}

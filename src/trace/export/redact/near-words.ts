import type { FoundSecret } from "./secret.ts";
import { looksRandom, SECRET_WORDS } from "./words.ts";

const WORD = new RegExp(String.raw`(?:${SECRET_WORDS}|\bkeys?\b|\bpin\b)`, "gi");
const CANDIDATE = /(?![=.~-])[A-Za-z0-9+/_=.~-]{16,512}/g;

/** How far behind a word for secrets a random text may begin, in UTF-16 units. */
const BEHIND = 64;

/** Random texts shortly behind a word for secrets, on the same line: "the api key is 9f8e7d6c...". */
export function secretsNearWords(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let from = 0;
  for (const match of text.matchAll(WORD)) {
    const word = match.index + match[0].length;
    const last = lineEnd(text, word, word + BEHIND);
    from = Math.max(from, word);
    while (from < last) {
      CANDIDATE.lastIndex = from;
      const candidate = CANDIDATE.exec(text);
      // What begins too far off is looked at again from the next word on.
      if (candidate === null) return found;
      if (candidate.index >= last) break;
      from = candidate.index + candidate[0].length;
      const value = candidate[0].replace(/[.=-]+$/, "");
      if (value.length >= 16 && !isPath(value) && looksRandom(value))
        found.push({ start: candidate.index, end: candidate.index + value.length, kind: "secret" });
    }
  }
  return found;
}

function lineEnd(text: string, from: number, most: number): number {
  for (let at = from; at < most; at += 1) if (text[at] === "\n" || text[at] === "\r") return at;
  return most;
}

/** Folders, modules, versions and dates: parts that are words or short numbers. */
function isPath(value: string): boolean {
  return value.split(/[/._=-]/).every((part) => /^(?:[A-Za-z]{0,24}\d{0,4}|\d{1,8})$/.test(part));
}

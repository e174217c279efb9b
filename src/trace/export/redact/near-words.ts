import type { FoundSecret } from "./secret.ts";
import { looksRandom, SECRET_WORDS } from "./words.ts";

const WORD = new RegExp(String.raw`(?:${SECRET_WORDS}|(?<![a-z])keys?(?![a-z])|\bpin\b)`, "gi");
const CANDIDATE = /(?![=.~-])[A-Za-z0-9+/_=.~-]{16,512}/g;

/** How far behind a word for secrets a random text may begin, in UTF-16 units. */
const BEHIND = 64;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** What names a thing by its content or number rather than a secret, between the word and the random text. */
const NAMED = /\b(?:commits?|sha-?\d*|hash|revision|digest|checksum|etag|blob|tree|object|integrity|id)\b/i;
/** All that may stand between a word and what it is said to be. */
const SAYS = /^[\s:=>"'`]*(?:is|was)?[\s:=>"'`]*$/i;
/** How public keys of SSH begin: the name of their algorithm in base64. */
const PUBLIC_KEY = /^AAAA[A-Z][\w+/]{0,3}(?:NzaC1|AAAAB)/;

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
      const gap = text.slice(word, candidate.index);
      if (value.length >= 16 && isSecretBehind(match[0], gap, value) && looksRandom(value))
        found.push({ start: candidate.index, end: candidate.index + value.length, kind: "secret" });
    }
  }
  return found;
}

/** Whether a random text is meant by the word in front of it. Numbers of rows and of commits stand there as well. */
function isSecretBehind(word: string, gap: string, value: string): boolean {
  if (isPath(value) || NAMED.test(gap) || PUBLIC_KEY.test(value)) return false;
  return !UUID.test(value) || (SAYS.test(gap) && !/^keys?$/i.test(word));
}

function lineEnd(text: string, from: number, most: number): number {
  for (let at = from; at < most; at += 1) if (text[at] === "\n" || text[at] === "\r") return at;
  return most;
}

/** Folders, modules, versions and dates: parts that are words or short numbers. */
function isPath(value: string): boolean {
  return value.split(/[/._=-]/).every((part) => /^(?:[A-Za-z]{0,24}\d{0,4}|\d{1,8})$/.test(part));
}

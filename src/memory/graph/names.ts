import { USER } from "../../agent/memory/types.ts";

/** Longest name that is kept, in UTF-16 units. */
export const MAX_NAME = 200;

/** Letters that keep no base letter when their marks are taken off. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};

/** Titles before a name that say nothing of who it is. */
const HONORIFICS = new Set(
  `mr mrs ms mx miss mister madam dr doctor prof professor sir dame lord lady rev reverend fr sr herr frau hr fru
  monsieur madame mademoiselle mme mlle m senor senora senorita sig signor signora don dona the`.split(/\s+/),
);

/** Words by which people mean themselves or are told of as "the user". */
const USER_WORDS = new Set(["user", "the user", "i", "me", "myself"]);

/** Words that stand for somebody and name nobody. */
const NOBODY = new Set(
  `he she it they you him her them his hers its their theirs himself herself themselves this that these those who someone
  somebody anyone anybody everyone everybody nobody something anything nothing we us our ours my mine your yours here
  there one unknown none null undefined na person people man woman guy thing stuff place assistant`.split(
    /\s+/,
  ),
);

/** Words that say what kind of thing a name belongs to. */
const KIND_WORDS = new Set(
  `project projects app application company inc ltd llc gmbh corp corporation co city town of and programme program
  library team group repo repository tool`.split(/\s+/),
);

/**
 * The form in which names are compared: without case, accents, punctuation, titles and possessives. Empty for a name
 * without letters or digits.
 */
export function nameKey(name: string): string {
  const words = nameWords(name);
  const first = words.findIndex((word) => !HONORIFICS.has(word));
  // A name that is all titles ("Doctor") is still a name.
  const kept = first > 0 ? words.slice(first) : words;
  const key = kept.join(" ");
  return USER_WORDS.has(words.join(" ")) || USER_WORDS.has(key) ? USER : key;
}

/** The words of a text in the form in which names are compared, in order. */
export function nameWords(text: string): string[] {
  const plain = text
    .toWellFormed()
    .normalize("NFKD")
    // Some letters have two small forms, and some large ones fall apart only when they are small.
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    // Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic; marks that make another letter stay.
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u0652]/g, "")
    .normalize("NFC")
    .replace(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/(\p{L})['’ʼ`]s(?![\p{L}\p{N}])/gu, "$1")
    .replace(/['’ʼ`]/g, "");
  return plain.match(/[\p{L}\p{M}\p{N}+#]+/gu) ?? [];
}

/** A name as it is kept: on one line, without edges, cut to size. Empty when it can't be a name. */
export function cleanName(name: string): string {
  const line = name
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .replace(/^["'“”‘’(]+|["'“”‘’),.;:!?]+$/g, "")
    .replace(/(\p{L})['’]s$/u, "$1");
  const key = nameKey(line);
  if (key === USER) return USER;
  return key === "" || line.length > MAX_NAME || NOBODY.has(key) ? "" : line;
}

/** Whether a text names somebody or something: all words of the name follow each other in it. */
export function namesIn(words: readonly string[], key: string): boolean {
  const wanted = key.split(" ");
  return (
    key !== "" && words.some((_, start) => wanted.every((word, offset) => words[start + offset] === word))
  );
}

/**
 * Whether two names of things or places, alike in meaning, are two spellings of one: the same words in another order
 * or with a word such as "project" more, or one long word with one letter off. Never by what is only similar: "Ann" is
 * not "Anna", and "phase 1" not "phase 2".
 */
export function sameSpelling(one: string, other: string): boolean {
  const first = plainWords(one);
  const second = plainWords(other);
  if (first.length === 0 || first.length !== second.length) return false;
  const left = first.filter((word) => !second.includes(word));
  const right = second.filter((word) => !first.includes(word));
  if (left.length === 0 && right.length === 0) return true;
  const [a = "", b = ""] = [left[0], right[0]];
  return left.length === 1 && right.length === 1 && !/\d/.test(a + b) && oneLetterOff(a, b);
}

function plainWords(name: string): string[] {
  return nameKey(name)
    .split(" ")
    .filter((word) => word !== "" && !KIND_WORDS.has(word));
}

/** Shorter words differ by a letter and mean something else. */
const LONG_WORD = 7;

function oneLetterOff(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < LONG_WORD || long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  let end = 0;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1;
  return short.length - start - end <= 1 && long.length - start - end <= 1;
}

import { cutAtGrapheme } from "../text.ts";

/** Text (UTF-16 units) that is looked at of one answer. */
const MAX_TEXT = 20_000;

/** Texts of at most so many telling words are compared word by word: there is too little in them to weigh. */
const SHORT = 20;

/** From here on two texts hold the same view. */
const SAME_VIEW = 0.75;

/** From here on a text says nothing that another did not. */
const NOTHING_NEW = 0.9;

/** What another number or a "not" leaves of a likeness: texts may share every other word and say the opposite. */
const CONTRADICTED = 0.5;

const SEGMENTER = new Intl.Segmenter("en", { granularity: "word" });

/** What `SEGMENTER` takes for words in lower-case ASCII, in a thirtieth of its time. */
const ASCII_WORD =
  /(?!_(?![a-z0-9_]))[a-z0-9_]+(?:(?<=[a-z])['.:](?=[a-z])[a-z0-9_]+|(?<=\d)['.,;](?=\d)[a-z0-9_]+)*/g;
const NOT_ASCII = /\P{ASCII}/u;
const NUMBER = /\p{N}/u;

/** Words that tell nothing about what an answer holds. */
const FILLERS: ReadonlySet<string> = new Set(
  "a an the is are was be it its it's this that these those there i i'd i'm we you my our your on in at to of for and or as by with would should will can could do does so then just only very answer yes thank thanks please".split(
    " ",
  ),
);
const NEGATIONS: ReadonlySet<string> = new Set(
  "no not never none nobody nothing neither nor without cannot can't don't doesn't isn't aren't won't shouldn't wouldn't didn't".split(
    " ",
  ),
);

/** The words of a text in order: lower case, apostrophes made plain. */
export function wordsOf(text: string): readonly string[] {
  const cut = cutAtGrapheme(text, MAX_TEXT);
  const isAscii = !NOT_ASCII.test(cut);
  const plain = isAscii ? cut.toLowerCase() : cut.normalize("NFKC").toLowerCase().replace(/[’ʼ]/gu, "'");
  if (isAscii || !NOT_ASCII.test(plain)) return plain.match(ASCII_WORD) ?? [];
  return [...SEGMENTER.segment(plain)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** The words of a text that tell what it holds, in order; none where it has only others. */
export function tellingWords(text: string): readonly string[] {
  return wordsOf(text).filter(tells);
}

function tells(word: string): boolean {
  return !FILLERS.has(word) && !NEGATIONS.has(word);
}

/** The sentences of a text, as marks and line ends part them. */
export function sentencesOf(text: string): readonly string[] {
  return cutAtGrapheme(text, MAX_TEXT).split(/(?<=[.!?。！？])\s+|\n+/u);
}

/** A text as votes are counted by: equal for answers that differ in case, marks and filling words alone. */
export function voteKey(text: string): string {
  const words = wordsOf(text);
  const telling = words.filter((word) => !FILLERS.has(word));
  return (telling.length > 0 ? telling : words).join(" ");
}

/**
 * How alike each two of some texts are, 0 to 1: word by word for short ones, by the cosine of their TF-IDF vectors for
 * long ones. Symmetric; 1 on the diagonal.
 */
export function likenesses(texts: readonly string[]): readonly (readonly number[])[] {
  const read = texts.map(readText);
  const vectors = tfIdf(read.map(({ words }) => words));
  const likeness = (row: number, column: number): number => {
    const [one, other] = [read[row] ?? NOTHING, read[column] ?? NOTHING];
    const short = one.words.length <= SHORT && other.words.length <= SHORT;
    const like = short ? dice(one.words, other.words) : cosine(vectors[row], vectors[column]);
    const opposed = one.numbers !== other.numbers || (short && one.negated !== other.negated);
    return opposed ? like * CONTRADICTED : like;
  };
  const below = read.map((_, row) => read.slice(0, row).map((_other, column) => likeness(row, column)));
  return read.map((_, row) =>
    read.map((_other, column) => {
      if (row === column) return 1;
      return below[Math.max(row, column)]?.[Math.min(row, column)] ?? 0;
    }),
  );
}

/** Whether some of these texts have other numbers than the rest, or say "not" where they don't. */
export function anyOpposed(texts: readonly string[]): boolean {
  const [first, ...others] = texts.map(readText);
  return others.some((other) => other.numbers !== first?.numbers || other.negated !== first.negated);
}

/** Whether two texts of a matrix of likenesses hold the same view. */
export function sameView(likeness: number): boolean {
  return likeness >= SAME_VIEW;
}

/**
 * Whether a text says nothing but what an earlier one of the same speaker said. Sentences that only turn to somebody
 * (`@Bo, do you agree?`) do not count as content.
 */
export function nothingNew(text: string, earlier: string): boolean {
  return addsNothing(readContent(text), readContent(earlier));
}

/** `nothingNew` of two texts that were read before. */
export function addsNothing(now: ReadText, before: ReadText): boolean {
  if (now.words.length === 0) return true;
  if (now.numbers !== before.numbers || now.negated !== before.negated) return false;
  return dice(now.words, before.words) >= NOTHING_NEW;
}

/** What a text says, sentences that only turn to somebody left out. */
export function readContent(text: string): ReadText {
  return readText(withoutAddresses(text));
}

/** A text without the sentences that hold `@somebody`. */
function withoutAddresses(text: string): string {
  return sentencesOf(text)
    .filter((sentence) => !/(?:^|[\s(*_])@[\p{L}\p{N}]/u.test(sentence))
    .join(" ");
}

/** What of a text tells what it holds. */
export interface ReadText {
  /** Telling words; all of them where there are no others. */
  readonly words: readonly string[];
  /** The numbers in it, sorted. */
  readonly numbers: string;
  readonly negated: boolean;
}

const NOTHING: ReadText = { words: [], numbers: "", negated: false };

function readText(text: string): ReadText {
  const all = wordsOf(text);
  const telling: string[] = [];
  let negations = 0;
  for (const word of all) {
    if (NEGATIONS.has(word)) negations += 1;
    else if (!FILLERS.has(word)) telling.push(word);
  }
  const hasNumbers = NUMBER.test(all.join(" "));
  const numbers = hasNumbers ? [...new Set(all.filter((word) => NUMBER.test(word)))].sort().join(" ") : "";
  return { words: telling.length > 0 ? telling : all, numbers, negated: negations % 2 === 1 };
}

function dice(one: readonly string[], other: readonly string[]): number {
  const [left, right] = [new Set(one), new Set(other)];
  if (left.size + right.size === 0) return 1;
  let shared = 0;
  for (const word of left) if (right.has(word)) shared += 1;
  return (2 * shared) / (left.size + right.size);
}

interface Vector {
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

function tfIdf(documents: readonly (readonly string[])[]): readonly Vector[] {
  const counts = documents.map((words) => {
    const count = new Map<string, number>();
    for (const word of words) count.set(word, (count.get(word) ?? 0) + 1);
    return count;
  });
  const holders = new Map<string, number>();
  for (const count of counts)
    for (const word of count.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  return counts.map((count) => {
    const weights = new Map<string, number>();
    let squares = 0;
    for (const [word, times] of count) {
      const rarity = Math.log((1 + documents.length) / (1 + (holders.get(word) ?? 0))) + 1;
      const weight = (1 + Math.log(times)) * rarity;
      weights.set(word, weight);
      squares += weight * weight;
    }
    return { weights, length: Math.sqrt(squares) };
  });
}

function cosine(one: Vector | undefined, other: Vector | undefined): number {
  if (one === undefined || other === undefined) return 0;
  let product = 0;
  for (const [word, weight] of one.weights) product += weight * (other.weights.get(word) ?? 0);
  const sizes = one.length * other.length;
  return sizes === 0 ? 0 : Math.min(1, product / sizes);
}

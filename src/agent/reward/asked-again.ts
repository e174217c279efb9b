import { tellingWords, voteKey, wordsOf } from "../committee/similarity.ts";

/** Questions of fewer telling words are too short to be told from others like them. */
const LEAST_WORDS = 2;

/** From this share of common words on, two questions ask the same where nobody can tell by meaning. */
const SAME_WORDS = 0.8;

/**
 * From how alike in meaning on they ask the same, by the model that embeds: that of the extension was measured; others
 * find everything more alike.
 */
const MEASURED = { model: "Xenova/all-MiniLM-L6-v2", alike: 0.8 };
const ALIKE = 0.9;

/** With these a question goes on from the one before, and does not ask it again. */
const GOES_ON =
  /^(?:and|also|now|then|next|what about|how about|what if|or|und|auch|jetzt|dann|was ist mit|et|aussi|maintenant|y|también|ahora|e|anche|ora|também|agora|en|ook|nu)(?![\p{L}\p{N}])/u;

/** Words that ask, and words that stand for others: they tell nothing of what is asked about. */
const ASKING: ReadonlySet<string> = new Set(
  "how what which who whom whose when where why they them their he she his her me us tell say wie was welche wer wann wo warum sie ihr mir comment quoi quel quelle cómo qué cuál come che cosa como hoe wat welke".split(
    " ",
  ),
);

/** Words that turn a question round. */
const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never without isn't don't doesn't can't won't nicht kein keine ohne pas jamais sans sin nunca non senza não sem niet geen zonder".split(
    " ",
  ),
);

/** What is asked for, in the languages that have a word for it; two of these differ where neither is "what". */
const ASKED_FOR: readonly RegExp[] = [
  /(?<![\p{L}])(?:who|whom|whose|wer|wem|wen|wessen|qui|quién|quiénes|chi|quem|wie(?= (?:is|was|heeft|zijn)))(?![\p{L}])/u,
  /(?<![\p{L}])(?:when|wann|quand|cuándo|quando|wanneer)(?![\p{L}])/u,
  /(?<![\p{L}])(?:where|wo|wohin|woher|où|dónde|dove|onde|waar)(?![\p{L}])/u,
  /(?<![\p{L}])(?:why|warum|wieso|weshalb|pourquoi|por qué|perché|por que|porquê|waarom)(?![\p{L}])/u,
  /(?<![\p{L}])(?:how (?:long|many|much|often|far|old)|wie (?:lange|viele?|oft|weit|alt)|combien|cuánt[oa]s?|quant[oiae]s?|hoe (?:lang|veel|vaak|ver|oud))(?![\p{L}])/u,
];

/** Words that ask for one thing, and those that ask for its opposite. */
const OPPOSITES: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  "on enable activate|off disable deactivate",
  "start|stop end",
  "add create insert|remove delete drop",
  "open|close",
  "read|write",
  "first|second third last",
  "second|third",
  "before|after",
  "up|down",
  "left|right",
  "horizontal horizontally|vertical vertically",
  "min minimum|max maximum",
  "increase|decrease",
  "encode|decode",
  "encrypt|decrypt",
  "import|export",
  "install|uninstall upgrade",
  "push|pull",
  "show|hide",
  "lock|unlock",
  "old|new",
  "pro pros advantages|con cons disadvantages",
  "client|server",
  "input|output",
].map((pair) => {
  const [one = "", other = ""] = pair.split("|");
  return [new Set(one.split(" ")), new Set(other.split(" "))];
});

/** Whether two questions have so much in common that it is worth asking how alike they are. */
export interface Comparison {
  /** They may ask the same in other words; what is left is how near they are. */
  readonly maybe: boolean;
  /** Share of common words, 0..1. */
  readonly words: number;
}

/**
 * Whether one question may ask the same as an earlier one, in other words. It does not where it is the same question
 * over again, goes on from it, says more or less of the same, asks it of something else (another name, number, or one
 * word in the same sentence), for something else (when, not why), for the opposite, or with two things in each other's
 * place.
 */
export function compareQuestions(question: string, earlier: string): Comparison {
  const [one, other] = [read(question), read(earlier)];
  const shared = [...one.set].filter((word) => other.set.has(word)).length;
  const words = one.set.size + other.set.size === 0 ? 0 : (2 * shared) / (one.set.size + other.set.size);
  const maybe =
    one.key !== other.key &&
    one.list.length >= LEAST_WORDS &&
    other.list.length >= LEAST_WORDS &&
    !GOES_ON.test(one.text) &&
    one.negated === other.negated &&
    !saysMore(one.set, other.set) &&
    !isAboutAnother(one.names, other.names) &&
    !isAboutAnother(one.askedFor, other.askedFor) &&
    !isOpposed(one.words, other.words) &&
    !isParallel(one.list, other.list) &&
    !isTurnedRound(one.list, other.list);
  return { maybe, words };
}

/** Whether they ask the same, by their words alone. */
export function isSameByWords({ maybe, words }: Comparison): boolean {
  return maybe && words >= SAME_WORDS;
}

/** Whether they ask the same, by how alike a model finds them (cosine). */
export function isSameByMeaning({ maybe }: Comparison, alike: number, model: string): boolean {
  return maybe && alike >= (model === MEASURED.model ? MEASURED.alike : ALIKE);
}

interface ReadQuestion {
  readonly text: string;
  readonly key: string;
  /** Its telling words in order, without endings. */
  readonly list: readonly string[];
  readonly set: ReadonlySet<string>;
  /** Names, numbers and pieces of code in it. */
  readonly names: ReadonlySet<string>;
  readonly negated: boolean;
  /** All its words. */
  readonly words: ReadonlySet<string>;
  /** What it asks for, as far as its words say. */
  readonly askedFor: ReadonlySet<string>;
}

function read(question: string): ReadQuestion {
  const text = question.trim().toLowerCase();
  const list = tellingWords(question)
    .filter((word) => !ASKING.has(word))
    .map(stem);
  const words = wordsOf(question);
  const negations = words.filter((word) => NEGATIONS.has(word)).length;
  const askedFor = ASKED_FOR.flatMap((word, kind) => (word.test(text) ? [String(kind)] : []));
  return {
    text,
    words: new Set(words),
    askedFor: new Set(askedFor),
    key: voteKey(question),
    list,
    set: new Set(list),
    names: namesIn(question),
    negated: negations % 2 === 1,
  };
}

/** Good enough to see that `lists` and `list`, `restarting` and `restarts` are one word. */
function stem(word: string): string {
  return word.length <= 4 ? word : word.replace(/(?:'s|ings?|ed|es|s|en|er|e|n)$/u, "");
}

/** What stands with a capital inside a sentence, holds a digit, or is written as code is. */
function namesIn(text: string): ReadonlySet<string> {
  const names = text.matchAll(
    /(?<=[\p{L}\p{N},;)"'`] +["'(`]*)\p{Lu}[\p{L}\p{N}_.+#-]*|[\p{L}_.#/-]*\p{N}[\p{L}\p{N}_.]*|[\p{L}\p{N}]+[_./][\p{L}\p{N}_./]+|\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu,
  );
  const plain = [...names].map(([name]) => name.toLowerCase().replace(/[.-]+$/u, ""));
  return new Set(plain.filter((name) => name !== "" && name !== "i"));
}

/** All words of one are in the other, which has more: it asks for more, or for less. */
function saysMore(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  return small.size < large.size && [...small].every((word) => large.has(word));
}

/** Each names something that the other does not. */
function isAboutAnother(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const lacks = (names: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...names].some((name) => !others.has(name));
  return lacks(one, other) && lacks(other, one);
}

/** One asks for something, and the other for its opposite. */
function isOpposed(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const asksFor = (words: ReadonlySet<string>, wanted: ReadonlySet<string>, not: ReadonlySet<string>) =>
    [...wanted].some((word) => words.has(word)) && ![...not].some((word) => words.has(word));
  return OPPOSITES.some(
    ([left, right]) =>
      (asksFor(one, left, right) && asksFor(other, right, left)) ||
      (asksFor(one, right, left) && asksFor(other, left, right)),
  );
}

/** The same sentence with one word exchanged: it asks the same of something else. */
function isParallel(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  return one.filter((word, place) => word !== other[place]).length === 1;
}

/** The same sentence with two words in each other's place: from the one to the other, and back. */
function isTurnedRound(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  const [first = -1, second = -1, ...more] = one.flatMap((word, at) => (word === other[at] ? [] : [at]));
  return second >= 0 && more.length === 0 && one[first] === other[second] && one[second] === other[first];
}

import { nameWords } from "../graph/names.ts";

/** What of a text is looked at, in UTF-16 units. */
const MAX_TEXT = 20_000;

/** Short forms, written out so that "doesn't" and "does not" are the same. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bcan['’]t\b|\bcannot\b/g, "can not"],
  [/\bwon['’]t\b/g, "will not"],
  [/n['’]t\b/g, " not"],
  [/\b(i)['’]m\b/g, "$1 am"],
  [/\b(you|we|they)['’]re\b/g, "$1 are"],
  [/\b(it|he|she|that|there|who)['’]s\b/g, "$1 is"],
  [/\b(i|you|we|they)['’]ve\b/g, "$1 have"],
  [/['’]ll\b/g, " will"],
  [/\b(i|you|we|they|he|she)['’]d\b/g, "$1 would"],
];

const NUMBER_WORDS = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, index) => [word, String(index)]),
);

/** Words whose base form the endings do not tell. */
const IRREGULAR: Readonly<Record<string, string>> = {
  children: "child",
  kids: "child",
  kid: "child",
  people: "person",
  men: "man",
  women: "woman",
  wives: "wife",
  mum: "mother",
  mom: "mother",
  dad: "father",
  has: "have",
  had: "have",
  having: "have",
  own: "have",
  owns: "have",
  owned: "have",
  went: "go",
  goes: "go",
  gone: "go",
  bought: "buy",
  taught: "teach",
  ran: "run",
  ate: "eat",
  drank: "drink",
  drove: "drive",
  driven: "drive",
  spoke: "speak",
  wrote: "write",
  favorite: "favourite",
  color: "colour",
  moved: "move",
  married: "married",
  ski: "ski",
  news: "news",
};

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** The words of a text in order: in lower case, without accents, short forms written out, numbers as figures. */
export function plainWords(text: string): string[] {
  let plain = text.slice(0, MAX_TEXT).toLowerCase();
  for (const [form, long] of SHORT_FORMS) plain = plain.replace(form, long);
  return nameWords(plain).flatMap((word) =>
    UNSPACED.test(word) ? pairs(word) : [NUMBER_WORDS.get(word) ?? word],
  );
}

/** The base form of a word in lower case, near enough to tell "hiking" and "hikes" as one. */
export function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const base = IRREGULAR[word] ?? (word.length <= 3 ? word : withoutEnding(word));
  // "like" and "lik(ing)", "happy" and "happi(er)" meet.
  return base.length > 3 ? base.replace(/e$/, "").replace(/y$/, "i") : base;
}

function withoutEnding(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  if (/s$/.test(word)) return word.slice(0, -1);
  const cut = /^(.*[aeiouy].*?)(?:ing|ed)$/.exec(word)?.[1];
  if (cut === undefined || cut.length < 2) return word;
  // "running" and "stopped" double a letter that the base has once.
  return /([bdgmnprt])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Every two neighbouring signs: what stands for words where a script does not part them. */
function pairs(word: string): string[] {
  const signs = Array.from(word);
  return signs.length < 2 ? signs : signs.slice(1).map((sign, index) => `${signs[index] ?? ""}${sign}`);
}

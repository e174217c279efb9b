import { USER } from "../../agent/memory/types.ts";
import { nameKey } from "../graph/names.ts";
import { findDates, withoutRelativeTimes } from "./dates.ts";
import { plainWords, stem } from "./words.ts";

/** What a sentence states, in a form in which two sentences can be compared. */
export interface Statement {
  /** The stems that say what it is about, in order: without small words, without the user. */
  readonly words: readonly string[];
  readonly all: ReadonlySet<string>;
  /** It says that something is not so, or no longer. */
  readonly negative: boolean;
  /** Days and times of day it names, in one way of writing. */
  readonly dates: readonly string[];
  /** The one thing it tells of that can have one value only, such as `residence` or `sister employer`. */
  readonly attribute?: string;
  /** The value of that, or of what follows "is". */
  readonly value: ReadonlySet<string>;
  /** What is told of by "is": `deploy port` of "The deploy port is 8080". */
  readonly told?: string;
  /** Its first word says how one thing is to another, such as `like` or `have`: many values hold side by side. */
  readonly relation?: string;
  /** Stems of names in it. */
  readonly names: ReadonlySet<string>;
}

/** Different words for one relation. The order counts: longer forms first. */
const RELATIONS: readonly (readonly [RegExp, string])[] = [
  [/ (?:moved|relocated|move|moves) (?:away )?from (?:\S+ ){1,4}?to (?=\S)/g, " @residence "],
  [/ (?:has |have |had )?(?:moved|relocated) (?:back )?to (?=\S)/g, " @residence "],
  [
    / (?:lives|live|lived|living|resides|reside|residing|based|dwells) (?:now |currently )?(?:in|at) (?!(?:a|an|my|his|her|their|shared|the (?!(?:netherlands|us|usa|uk|united|philippines|hague) )) )/g,
    " @residence ",
  ],
  [
    / (?:works|work|working|worked) (?:now |currently )?(?:at|for) (?!(?:a|an|my|his|her|their|home|nights?|weekends?|dawn|fun|money) )/g,
    " @employer ",
  ],
  [/ (?:employed|hired) (?:at|by) /g, " @employer "],
  [/ (?:works|work|working) as /g, " @occupation "],
  [/ (?:job|profession|occupation) is /g, " @occupation "],
  [/ (?:is|am|are) (?:called|named) /g, " name is "],
  [/ (?:is|am|are) aged? (?=\d)/g, " age is "],
  [/ (?:is|am|are) (\d{1,3}) years? old/g, " age is $1"],
  [/ (?:is|am|are) (?=(?:married|single|divorced|widowed|engaged) )/g, " @marital "],
  [/ (?:do|does|did) not (?:like|enjoy|love|care for) /g, " not like "],
  [/ can not (?:stand|bear|abide) | (?:dislikes?|hates?|detests?|loathes?|despises?) /g, " not like "],
  [/ (?:likes?|liked|loves?|enjoys?|enjoyed|adores?|fond of|keen on|(?:a )?(?:big )?fan of) /g, " like "],
];

/** Words that turn a statement round, or say that it is over. */
const NEGATIONS: readonly RegExp[] = [
  / no longer | not anymore | (?:not )?any more | anymore /g,
  / used to be | used to /g,
  / (?:has |have |had )?(?:stopped|quit|ceased|gave up|given up) /g,
  / (?:do|does|did|is|am|are|was|were|has|have|had|can|could|will|would) not (?:be )?(?=\S)/g,
  / never | not | no | without | former | formerly | previously /g,
];

const LIGHT = new Set(
  `a an the this that these those i me my mine we us our you your he him his she her hers it its they them their
  user is am are was were be been being do does did will would can could shall should may might to of in on at for with
  by as and or so very really quite much lot lots also too now currently often usually always mostly most just actually
  still especially particularly some any who which what there here then about please`.split(/\s+/),
);

/** Words whose place tells who is what to whom. */
const ORDER_WORDS = new Set(["from", "than", "over", "before", "after", "until", "since", "rather"]);

/** What somebody has one of at a time. */
const SINGLE = new Set(
  `name surname age birthday birthdate address email phone number job profession occupation employer title hometown
  mother father wife husband spouse partner fiance fiancee boss manager deadline port version timezone salary height
  weight username handle anniversary capital owner leader ceo deadline residence marital born`
    .split(/\s+/)
    .map(stem),
);

/** Relations that hold to many things side by side. */
const PLURAL = new Set(
  `like prefer have own know speak play visit drink eat read use want need study learn`
    .split(/\s+/)
    .map(stem),
);

/**
 * Reads what a sentence states. `subject` is whom it is about where the sentence does not say it; `said` when it was said
 * (milliseconds since the epoch), which is what its "tomorrow" counts from.
 */
export function readStatement(text: string, subject: string, said?: number): Statement {
  const { rest, dates } = findDates(said === undefined ? text : withoutRelativeTimes(text, said));
  let plain = ` ${plainWords(rest).join(" ")} `;
  const past = / (?:was|were) /.test(plain);
  plain = unperfect(plain);
  for (const [form, name] of RELATIONS) plain = plain.replace(form, name).replace(/ {2,}/g, " ");
  let turns = 0;
  for (const form of NEGATIONS) {
    plain = plain.replace(form, () => {
      turns += 1;
      return " ";
    });
  }
  const about = subjectWords(subject);
  const words = contentOf(plain).filter((word) => !about.includes(word));
  const one = attributeOf(plain, about);
  const all = new Set([...about, ...words, ...(past ? ["@was"] : [])]);
  const relation = words.find((word) => !about.includes(word) && PLURAL.has(word));
  return {
    words: [...about, ...words],
    all,
    negative: turns % 2 === 1,
    dates,
    value: one?.value ?? new Set(),
    names: namesOf(text),
    ...(one?.single === true && !past ? { attribute: one.name } : {}),
    ...(one?.told === true && !past ? { told: one.name } : {}),
    ...(relation === undefined ? {} : { relation }),
  };
}

/** The stems of what a text tells, whatever it is about and however it puts relations such as "lives in". */
export function tellingStems(text: string): ReadonlySet<string> {
  return new Set([...readStatement(text, "").all, ...plainWords(text).map(stem)]);
}

/** The subject in the form in which it is compared: empty for the user. */
export function subjectWords(subject: string): string[] {
  const key = nameKey(subject);
  return key === "" || key === USER ? [] : contentOf(` ${plainWords(subject).join(" ")} `);
}

/** A short string that is equal for two statements that say the same in the same words. */
export function statementKey(statement: Statement): string {
  const { all, words, negative, dates } = statement;
  const ordered = words.some((word) => ORDER_WORDS.has(word)) ? words : [...all].sort();
  const was = all.has("@was") ? "@was" : "";
  return [negative ? "not" : "", was, ...ordered, ...[...dates].sort()].join(" ").trim();
}

/** "Has lived" is about living, "has a dog" about having. */
function unperfect(plain: string): string {
  return plain.replace(/ (?:has|have|had) (?:been )?(?=\w+(?:ed|ing) |been |gone |become |taken )/g, " ");
}

function contentOf(plain: string): string[] {
  return plain
    .split(" ")
    .filter((word) => word !== "" && !LIGHT.has(word))
    .map((word) => (word.startsWith("@") ? word.slice(1) : stem(word)));
}

interface Told {
  readonly name: string;
  readonly value: ReadonlySet<string>;
  readonly single: boolean;
  readonly told: boolean;
}

function attributeOf(plain: string, about: readonly string[]): Told | undefined {
  const marked = /^(.*?) @(residence|employer|occupation|marital) (.*)$/.exec(plain);
  const [, before = "", mark, after = ""] = marked ?? / ?^(.*?) (is|are) (.*)$/.exec(plain) ?? [];
  if (mark === undefined) return undefined;
  const isMark = mark !== "is" && mark !== "are";
  const thing = contentOf(before).filter((word) => !about.includes(word));
  const names = [...new Set([...about, ...thing, ...(isMark ? [mark] : [])])].sort();
  const value = new Set(contentOf(after));
  if (value.size === 0 || (thing.length === 0 && !isMark)) return undefined;
  const last = thing.at(-1) ?? "";
  const single = isMark || SINGLE.has(last) || thing.includes(stem("favourite"));
  return { name: names.join(" "), value, single, told: !isMark };
}

/** Words with a capital that do not begin the sentence, as stems. */
function namesOf(text: string): Set<string> {
  const found = text.match(/(?<=\S\s+)\p{Lu}[\p{L}\p{N}]*/gu) ?? [];
  return new Set(found.flatMap((name) => plainWords(name)).map(stem));
}

/** How two statements stand to each other. */
export type Comparison = "same" | "contradicts" | "different";

/** Whether one statement says the same as another, or what can't hold beside it. */
export function compareStatements(one: Statement, other: Statement): Comparison {
  if (one.all.size === 0 || other.all.size === 0) return "different";
  const sameDates = setOf(one.dates) === setOf(other.dates);
  if (one.attribute !== undefined && one.attribute === other.attribute) {
    const same = contains(one.value, other.value) || contains(other.value, one.value);
    if (one.negative === other.negative) {
      if (same && sameDates) return "same";
      return one.negative || same ? "different" : "contradicts";
    }
    return same ? "contradicts" : "different";
  }
  if (swapped(one, other)) return one.negative === other.negative ? "contradicts" : "different";
  if (alike(one, other)) {
    if (one.negative !== other.negative) return "contradicts";
    return sameDates ? "same" : "different";
  }
  return otherFigure(one, other) ? "contradicts" : "different";
}

/** Whether two statements tell of the same happening at different times. */
export function differsInTimeOnly(one: Statement, other: Statement): boolean {
  return alike(one, other) && one.negative === other.negative && setOf(one.dates) !== setOf(other.dates);
}

/** How much two statements have in common, 0..1; none when one denies the other or they name other values. */
export function likeness(one: Statement, other: Statement): number {
  if (one.negative !== other.negative || compareStatements(one, other) === "contradicts") return 0;
  const both = [...one.all].filter((word) => other.all.has(word)).length;
  return both === 0 ? 0 : both / (one.all.size + other.all.size - both);
}

/**
 * Whether two statements whose meaning an embedder holds for the same may be the same: nothing that it is blind to
 * (a denial, a name, a number, a value) tells them apart.
 */
export function mayBeSame(one: Statement, other: Statement): boolean {
  if (one.negative !== other.negative || setOf(one.dates) !== setOf(other.dates)) return false;
  if (one.all.has("@was") !== other.all.has("@was") || swapped(one, other)) return false;
  if (compareStatements(one, other) === "contradicts") return false;
  const apart = [...difference(one.all, other.all), ...difference(other.all, one.all)];
  return apart.every((word) => !one.names.has(word) && !other.names.has(word) && !/\d/.test(word));
}

/** Extra words that make no difference beside so many that are the same. */
const WORDS_TO_SPARE = 4;

function alike(one: Statement, other: Statement): boolean {
  const left = difference(one.all, other.all);
  const right = difference(other.all, one.all);
  const ordered = [...one.words, ...other.words].some((word) => ORDER_WORDS.has(word));
  if (left.length === 0 && right.length === 0) {
    return !ordered || one.words.join(" ") === other.words.join(" ");
  }
  const extra = [...left, ...right];
  const word = extra[0] ?? "";
  return (
    extra.length === 1 &&
    !ordered &&
    !/\d|^@/.test(word) &&
    !one.names.has(word) &&
    !other.names.has(word) &&
    Math.min(one.all.size, other.all.size) >= WORDS_TO_SPARE
  );
}

/** "Prefers tea over coffee" and "prefers coffee over tea": the same words round a word that tells their order. */
function swapped(one: Statement, other: Statement): boolean {
  const ordered = one.words.some((word) => ORDER_WORDS.has(word));
  return ordered && setOf(one.words) === setOf(other.words) && one.words.join(" ") !== other.words.join(" ");
}

/** The same thing is told to be one number and another. */
function otherFigure(one: Statement, other: Statement): boolean {
  const figures = (value: ReadonlySet<string>): boolean =>
    value.size > 0 && [...value].every((word) => /^\d+$/.test(word));
  return (
    one.told !== undefined &&
    one.told === other.told &&
    !one.negative &&
    !other.negative &&
    figures(one.value) &&
    figures(other.value) &&
    setOf([...one.value]) !== setOf([...other.value])
  );
}

function contains(whole: ReadonlySet<string>, part: ReadonlySet<string>): boolean {
  return part.size > 0 && [...part].every((word) => whole.has(word));
}

function difference(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...one].filter((word) => !other.has(word));
}

function setOf(words: readonly string[]): string {
  return [...new Set(words)].sort().join(" ");
}

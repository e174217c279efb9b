import type { EdgeProposal, EntityProposal, EntityType, FactKind, FactProposal } from "../../memory/types.ts";
import { USER } from "../../memory/types.ts";
import { sentencesOf } from "../said.ts";

/** What is taken of one turn, at most. */
const MAX_FACTS = 8;

/** How sure a plain statement is, and one with "maybe" in it. */
const STATED = 0.7;
const HEDGED = 0.5;
const HEDGE =
  /\b(?:maybe|perhaps|might|probably|possibly|i think|i guess|not sure|vielleicht|wohl|peut-être|quizás?|tal vez)\b/iu;

/** A fact with the words of the sentence that say it; times are not yet written out. */
export type RoughFact = Omit<FactProposal, "eventFrom" | "eventTo">;

/** What rules make of a turn. */
export interface RoughLearnt {
  readonly facts: readonly RoughFact[];
  readonly entities: readonly EntityProposal[];
  readonly edges: readonly EdgeProposal[];
}

/** A thing that a sentence says: the fact's text, and the relation where there is one. */
interface Reading {
  readonly kind: FactKind;
  readonly text: string;
  readonly subject?: string;
  readonly relation?: {
    readonly from?: string;
    readonly to: string;
    readonly type: string;
    readonly toType: EntityType;
    readonly holds?: false;
  };
}

interface Rule {
  readonly form: RegExp;
  readonly read: (match: RegExpExecArray) => Reading | undefined;
}

const NAME = "(\\p{Lu}[\\p{L}'’.-]*(?: (?:(?:of|the|de|van|von) )?\\p{Lu}[\\p{L}'’.-]*){0,3})";
/** The rest of a clause. */
const REST =
  "([^,.;!?\\n]{2,120}?)(?=[,.;!?\\n]|$| (?:and (?:i|my|we|it|he|she|they)|but|because|so that|when|if) )";
const I = "(?:^|[\\s,;(])[Ii]";
const RELATIVE =
  "wife|husband|partner|girlfriend|boyfriend|fiancée?|spouse|mother|father|mom|mum|dad|sister|brother|daughter|son|child|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|grandma|grandpa|friend|best friend|boss|manager|colleague|coworker|co-worker|neighbou?r|roommate|flatmate|teacher|doctor|dog|cat|pet|horse|rabbit|parrot";

const rule = (form: string, read: Rule["read"], flags = "u"): Rule => ({
  form: new RegExp(form, flags),
  read,
});

/** A reading of a verb and its object, such as "The user likes tea." */
function says(kind: FactKind, verb: string, what: string | undefined): Reading | undefined {
  const object = tidy(what ?? "");
  return object === "" ? undefined : { kind, text: `The user ${verb} ${aboutUser(object)}.` };
}

function place(verb: string, type: string, name: string | undefined, holds = true): Reading | undefined {
  const place = tidy(name ?? "");
  if (place === "") return undefined;
  const relation = { to: place, type, toType: "place" as const, ...(!holds && { holds: false as const }) };
  return { kind: "fact", text: `The user ${verb} ${place}.`, relation };
}

function employer(
  verb: string,
  type: string,
  name: string | undefined,
  rest: string | undefined,
): Reading | undefined {
  const to = tidy(name ?? "");
  if (to === "") return undefined;
  const role = tidy(rest ?? "");
  return {
    kind: "fact",
    text: `The user ${verb} ${to}${role === "" ? "" : ` ${role}`}.`,
    relation: { to, type, toType: "thing", ...(/^used/u.test(verb) && { holds: false as const }) },
  };
}

function kin(relation: string | undefined, name: string | undefined): Reading | undefined {
  const who = tidy(name ?? "");
  const kind = (relation ?? "").toLowerCase();
  if (who === "" || kind === "") return undefined;
  const isAnimal = /^(?:dog|cat|pet|horse|rabbit|parrot)$/u.test(kind);
  return {
    kind: "relationship",
    text: `${who} is the user's ${kind}.`,
    subject: who,
    // Told from the relative's side: Ana is the sister of the user.
    relation: { to: who, type: kind.replaceAll(/[ -]/gu, "_"), toType: isAnimal ? "thing" : "person" },
  };
}

/** Where somebody else lives or works. */
function other(
  name: string | undefined,
  verb: string | undefined,
  object: string | undefined,
): Reading | undefined {
  const [from, to] = [tidy(name ?? "").replace(/^(?:My|Our) /u, ""), tidy(object ?? "")];
  if (from === "" || to === "" || PRONOUN.test(from)) return undefined;
  const lives = verb === "lives in";
  return {
    kind: "fact",
    text: `${from} ${lives ? "lives in" : "works at"} ${to}.`,
    subject: from,
    relation: { from, to, type: lives ? "lives_in" : "works_at", toType: lives ? "place" : "thing" },
  };
}

const PRONOUN = /^(?:it|he|she|this|that|there|who|what|which|everything|nobody|everyone)$/iu;

/** English in full; the plain forms of German, French and Spanish. The first of a clause that fits counts. */
const RULES: readonly Rule[] = [
  rule(
    `\\b[Mm]y name is ${NAME}|${I}['’]m called ${NAME}|\\b[Cc]all me ${NAME}|\\b(?:[Ii]ch heiße|[Jj]e m['’]appelle|[Mm]e llamo) ${NAME}`,
    (m) =>
      says(
        "fact",
        "is called",
        m.slice(1).find((name: string | undefined) => name !== undefined),
      ),
  ),
  rule(`\\b[Mm]y (${RELATIVE})(?:['’]s name is| is called| is named| is|,)? ${NAME}`, ([, relation, name]) =>
    kin(relation, name),
  ),
  rule(`${NAME} is my (${RELATIVE})\\b`, ([, name, relation]) => kin(relation, name)),
  rule(`${NAME} (?:now |still )?(lives in|works (?:at|for)) ${NAME}`, ([, name, verb, to]) =>
    other(name, verb, to),
  ),
  rule(`${I} have an? (?:\\p{Ll}+ )?(${RELATIVE}) (?:called|named) ${NAME}`, ([, relation, name]) =>
    kin(relation, name),
  ),
  rule(`${I} (?:no longer|don['’]t) (?:live in|live at) ${NAME}`, ([, name]) =>
    place("no longer lives in", "lives_in", name, false),
  ),
  rule(`${I} (?:used to live|lived) in ${NAME}`, ([, name]) =>
    place("used to live in", "lives_in", name, false),
  ),
  rule(
    `${I}(?: (?:now|currently|still))? live (?:in|near) ${NAME}|${I}(?:['’]m| am) (?:based|living) in ${NAME}`,
    ([, one, two]) => place("lives in", "lives_in", one ?? two),
  ),
  rule(`(?:^|[\\s,;(])(?:[Ii]|[Ww]e)(?: (?:just|recently))? moved (?:back )?to ${NAME}`, ([, name]) =>
    place("lives in", "lives_in", name),
  ),
  rule(`\\b(?:[Ii]ch wohne in|[Jj]['’]habite à|[Vv]ivo en) ${NAME}`, ([, name]) =>
    place("lives in", "lives_in", name),
  ),
  rule(`${I}(?:['’]m| am| come) from ${NAME}`, ([, name]) => place("comes from", "comes_from", name)),
  rule(`${I} (?:used to work|worked) (?:at|for) ${NAME}`, ([, name]) =>
    employer("used to work at", "works_at", name, undefined),
  ),
  rule(`${I} (?:no longer work|don['’]t work|quit|left my job) (?:at|for) ${NAME}`, ([, name]) =>
    employer("used to work at", "works_at", name, undefined),
  ),
  rule(`${I}(?: (?:now|currently))? work (?:at|for) ${NAME}( as an? [\\p{Ll} -]{3,40})?`, ([, name, role]) =>
    employer("works at", "works_at", name, role),
  ),
  rule(`\\b(?:[Ii]ch arbeite bei|[Jj]e travaille chez|[Tt]rabajo en) ${NAME}`, ([, name]) =>
    employer("works at", "works_at", name, undefined),
  ),
  rule(`${I}(?: (?:now|currently))? work as (an? [\\p{Ll} -]{3,50})`, ([, job]) =>
    says("fact", "works as", job),
  ),
  rule(
    `${I}(?:['’]m| am) (an? (?:[\\p{Ll}-]+ ){0,3}(?:engineer|developer|programmer|teacher|student|nurse|doctor|designer|writer|scientist|biologist|chemist|physicist|lawyer|artist|musician|baker|cook|chef|carpenter|plumber|electrician|pilot|driver|manager|analyst|researcher|professor|accountant|journalist|photographer|farmer|vegetarian|vegan|runner|parent|mother|father|beginner))\\b`,
    ([, job]) => says("fact", "is", job),
  ),
  rule(`${I}(?:['’]m| am) (?:allergic to) ${REST}`, ([, what]) => says("fact", "is allergic to", what)),
  rule(`\\b[Mm]y favou?rite ([\\p{Ll} ]{3,30}) (?:is|are) ${REST}`, ([, thing, what]) => {
    const [kind, name] = [tidy(thing ?? ""), tidy(what ?? "")];
    return kind === "" || name === ""
      ? undefined
      : { kind: "preference", text: `The user's favourite ${kind} is ${aboutUser(name)}.` };
  }),
  rule(`\\b[Mm]y birthday is (?:on )?${REST}`, ([, day]) => {
    const date = tidy(day ?? "");
    return date === "" ? undefined : { kind: "fact", text: `The user's birthday is ${date}.` };
  }),
  rule(
    `${I} (?:(?:really|just|do) )?(?:hate|dislike|can['’]t stand|cannot stand|don['’]t (?:really )?(?:like|enjoy)|do not like|detest) ${REST}`,
    ([, what]) => says("preference", "dislikes", what),
  ),
  rule(`${I} (?:(?:really|just|do|also|still|absolutely) )*prefer ${REST}`, ([, what]) =>
    says("preference", "prefers", what),
  ),
  rule(
    `${I} (?:(?:really|just|do|also|still|absolutely) )*(?:like|love|enjoy|adore|am fond of)(?! to (?:know|ask|see|have)) ${REST}`,
    ([, what]) => says("preference", "likes", what),
  ),
  rule(
    `\\b(?:[Ii]ch (?:mag|liebe)|[Jj]['’](?:aime|adore)|[Mm]e gustan?|[Mm]e encantan?)(?! (?:kein|nicht|pas)) ${REST}`,
    ([, what]) => says("preference", "likes", what),
  ),
  rule(`\\b(?:[Ii]ch hasse|[Jj]e déteste|[Oo]dio) ${REST}`, ([, what]) =>
    says("preference", "dislikes", what),
  ),
];

/** Whole clauses that tell what happens or happened to the user. */
const EVENT =
  /^(?:(?:and|but|so|also|then|und|et|y)\s+)?(?:i|we|my|our|the|there|ich|wir|mein\p{L}*|je|nous|mon|ma|yo|mi)(?!\p{L})/iu;

/** Clauses of a sentence: apart at commas, semicolons and "and" before a new subject. */
const CLAUSE = /(?:[,;]\s+(?:and |but |so )?|\s+(?:and|but)\s+)(?=(?:i|we|my|our|the|he|she|they)\b)/iu;

/**
 * Facts, names and relations that the user states, read by rules: likes, family, work, places, names, and what happens
 * when. Questions are passed over. Finds little, and of that nothing that was not said.
 *
 * @param hasTime whether words hold a time, such as "tomorrow"
 */
export function extractByRules(said: string, hasTime: (words: string) => boolean): RoughLearnt {
  const facts = new Map<string, RoughFact>();
  const entities = new Map<string, EntityProposal>();
  const edges = new Map<string, EdgeProposal>();
  for (const sentence of sentencesOf(said)) {
    if (sentence.isQuestion) continue;
    for (const clause of sentence.text.split(CLAUSE)) {
      const quote = tidy(clause);
      const confidence = HEDGE.test(sentence.text) ? HEDGED : STATED;
      const readings = readingsOf(quote, hasTime);
      for (const { kind, text, subject = USER, relation } of readings) {
        if (facts.size === MAX_FACTS) break;
        facts.set(text.toLowerCase(), { kind, text, subject, confidence, owner: USER, quote });
        if (relation === undefined) continue;
        const { from = USER, to, type, toType, holds = true } = relation;
        entities.set(to.toLowerCase(), { name: to, type: toType });
        if (from !== USER) entities.set(from.toLowerCase(), { name: from, type: "person" });
        const isKin = kind === "relationship";
        const ends = isKin ? { from: to, to: USER, type: `${type}_of` } : { from, to, type };
        edges.set(`${from} ${type} ${to}`.toLowerCase(), { ...ends, text, strength: 0.5, holds, quote });
      }
    }
  }
  return { facts: [...facts.values()], entities: [...entities.values()], edges: [...edges.values()] };
}

function readingsOf(clause: string, hasTime: (words: string) => boolean): readonly Reading[] {
  const readings: Reading[] = [];
  for (const { form, read } of RULES) {
    const match = form.exec(clause);
    const reading = match === null ? undefined : read(match);
    if (reading !== undefined && !readings.some(({ text }) => text === reading.text)) readings.push(reading);
  }
  if (EVENT.test(clause) && hasTime(clause)) {
    readings.push({
      kind: "event",
      text: `${capital(aboutUser(clause.replace(/^(?:and|but|so|also|then)\s+/iu, "")))}.`,
    });
  }
  return readings;
}

const OWN_WORDS: { readonly [word: string]: string } = {
  "i'm": "the user is",
  "i've": "the user has",
  "i'll": "the user will",
  "i'd": "the user would",
  "we're": "the user and others are",
  "we've": "the user and others have",
  "we'll": "the user and others will",
  i: "the user",
  me: "the user",
  my: "the user's",
  mine: "the user's",
  we: "the user and others",
  us: "the user and others",
  our: "the user's",
};

/** A statement of the user in words that stand alone: "my" is the user's. */
function aboutUser(text: string): string {
  return text
    .replace(
      /(?<![\p{L}'’-])(?:[Ii]['’](?:m|ve|ll|d)|we['’](?:re|ve|ll)|I|i|me|my|mine|we|us|our)(?![\p{L}'’-])/giu,
      (word) => {
        return word === "US" ? word : (OWN_WORDS[word.toLowerCase().replace("’", "'")] ?? word);
      },
    )
    .replace(/\bthe user (am|have)\b/gu, (_, verb: string) => `the user ${verb === "am" ? "is" : "has"}`);
}

function tidy(text: string): string {
  return text
    .trim()
    .replace(/[\s.,;:!]+$/u, "")
    .trim();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

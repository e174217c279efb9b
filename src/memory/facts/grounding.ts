import type { FactProposal, Learnt } from "../../agent/memory/types.ts";
import { USER } from "../../agent/memory/types.ts";
import { nameKey } from "../graph/names.ts";
import { MAX_QUOTE, oneLine } from "./bounds.ts";
import { findDates, withoutRelativeTimes } from "./dates.ts";
import { plainWords, stem } from "./words.ts";

/** Whether a proposal rests on what the user said, on which words, or why not. */
export type Grounding =
  | {
      readonly ok: true;
      readonly quote: string;
      /** False when every telling word of it stands in what was recalled too: it may only be said again. */
      readonly fresh: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/** Words that carry no content of their own: what is said of somebody stands in the others. */
const SMALL = new Set(
  `a an the this that these those it its i me my mine myself we us our ours you your yours he him his she her hers they
  them their theirs user one who whom which what when where why how there here not no never is am are was were be been
  being do does did have will would can could shall should may might must to of in on at for from with by as and or but
  if so than then very really quite too also now just some any about into over up out off please
  ok okay thanks thank hi hello hey yes yeah sure bye well lot much many more most`.split(/\s+/),
);

/** Words that an extractor puts in to tell how somebody stands to something; what they stand to is what counts. */
const GENERAL = new Set(
  `like love enjoy prefer hate dislike live reside base work job go get make take want need plan use call name say tell
  state mention feel think find know speak play own favourite interested interest fond fan keen occupation profession
  employer company city age old year birthday move currently often usually regularly person thing owner time date
  happen take place scheduled planned named called longer anymore stop stopped used`
    .split(/\s+/)
    .map(stem),
);

const FIRST_PERSON =
  /(?<![\p{L}\p{N}])(?:i|i['’](?:m|ve|d|ll)|my|mine|myself|we|we['’](?:re|ve|d|ll)|our|ours|ich|mein\p{L}*|wir|unser\p{L}*|je|j['’]|mon|ma|mes|nous|notre|yo|mi|mis|soy|tengo|vivo|nosotros|jeg|min|mitt|eu|meu|minha|io|mio|mia|sono|ik|mijn)(?![\p{L}\p{N}])|私|僕|俺|我|나는|내|저는|(?<![\p{L}])(?:я|мой|моя|мы)(?![\p{L}])/iu;

/** Words by which people of other languages than English tell of themselves: not "my", which stands in a greeting too. */
const FOREIGN_SELF =
  /(?<![\p{L}\p{N}])(?:ich|wir|je|j['’]\p{L}+|nous|yo|soy|tengo|vivo|trabajo|jeg|eu|io|sono|ik)(?![\p{L}\p{N}])|私|僕|俺|我|나는|저는|(?<![\p{L}])(?:я|мы)(?![\p{L}])/iu;

/** How a sentence begins that asks for something to be done. */
const REQUEST =
  /^(?:(?:and|now|then|so|ok|okay|please|just|but)[ ,]+)*(?:(?:can|could|would|will) you\b|let['’]s\b|please\b|(?:run|make|do|redo|show|tell|give|write|rewrite|explain|fix|add|remove|delete|change|use|stop|continue|try|help|find|search|look|open|close|create|list|summari[sz]e|translate|compare|check|repeat|shorten|say|print|convert|generate|describe|answer|read|go on|keep going|rename|move|refactor|test|build|install|update)\b)/i;

/** How a sentence begins that tells the assistant who or how to be: it says nothing of the user. */
const ROLE =
  /^(?:(?:and|now|then|so|ok|okay|please|just|but|bitte)[ ,]+)*(?:(?:pretend|role-?play)\b|(?:act|behave|talk|speak|sound|think|respond) (?:as|like)\b|play (?:a|an|the|my)\b|(?:imagine|suppose|assume|let['’]s say) (?:that )?you\b|be (?:a|an|my|the|more|less)\b|you(?:['’]re| are| were|['’]ll be| will be)\b|du bist\b|ihr seid\b|sei (?:ein|mein|bitte|so)|tu so\b|stell dir vor,? du\b|spiel\w* (?:einen?|die|den)\b|tu es\b|vous êtes\b|fais comme si\b|joue (?:un|le|la)|eres\b|finge\b|actúa como\b|haz de cuenta\b|fai finta\b|fingi\b)|^(?:你是|假装|扮演|あなたは)/iu;

/** What is in the talk and means nothing after it, such as "the second version". */
const OF_THE_TALK =
  /\b(?:the|this|that|your) (?:(?:first|second|third|last|other|previous|shorter|longer|revised) )+(?:version|answer|draft|one|option|suggestion|variant|reply|response|attempt|wording|phrasing|paragraph|sentence)s?\b(?! of\b)|\bthe (?:assistant|ai)['’]s (?:answer|reply|response|suggestion|tone|wording)s?\b/i;

/** Words by which a user asks to keep something. */
const KEEP =
  /\b(?:remember|don['’]t forget|save|note|store|keep in mind|memori[sz]e|write down|jot|merk\w*|recuerda|souviens)\b/i;

const PRONOUN = /\b(?:he|she|they|it|him|her|them|his|their|its|this|that)\b/i;

/** At least so much of what a fact tells must be in the user's words. */
const LEAST = 0.5;
/** The same when the rest stands in what was recalled or in the persona, where it may have been taken from. */
const LEAST_BESIDE_RECALLED = 2 / 3;

/**
 * Whether a proposed fact rests on what the user said in its turn. What the user gives by hand needs no ground; what
 * a tool saves needs it unless the user asked to keep something.
 */
export function groundFact(proposal: FactProposal, learnt: Learnt): Grounding {
  const { said, by } = learnt;
  const quote = oneLine(proposal.quote).slice(0, MAX_QUOTE).toWellFormed();
  if (by === "user") return { ok: true, fresh: true, quote: quote === "" ? oneLine(proposal.text) : quote };
  if (OF_THE_TALK.test(proposal.text)) return no("tells of the talk, not of a fact");
  // What was said with words such as "next month" is told with the month they stood for.
  const heard = stemsOf(`${said}\n${withoutRelativeTimes(said, learnt.source.time)}`);
  const sentences = sentencesOf(said);
  const elsewhere = stemsOf([...learnt.recalled, learnt.persona ?? ""].join("\n"));
  const words = tellingWords(proposal);
  if (by === "tool" && KEEP.test(said)) {
    const borrowed = words.length > 0 && words.every((word) => elsewhere.has(word) && !heard.has(word));
    return borrowed
      ? no("known already: it was recalled, not said now")
      : { ok: true, fresh: true, quote: best(words, sentences) };
  }
  if (!contentOf(quote).every((word) => heard.has(word))) return no("its quote is not in what the user said");
  const invented = inventedName(proposal, heard, elsewhere);
  if (invented !== undefined) return no(invented);
  const coverage = covered(words, heard, elsewhere, FOREIGN_SELF.test(quote));
  if (coverage !== undefined) return no(coverage);
  const subject = subjectFault(proposal, learnt, heard);
  if (subject !== undefined) return no(subject);
  const rest = quote === "" ? best(words, sentences) : quote;
  const asked = notTold(rest, sentences);
  const fresh = words.some((word) => heard.has(word) && !elsewhere.has(word));
  return asked === undefined ? { ok: true, quote: rest, fresh } : no(asked);
}

/** A name that was neither said nor recalled is made up; in another script than it was said in it can't be told. */
function inventedName(
  { text, subject }: FactProposal,
  heard: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
): string | undefined {
  if (isForeign(heard)) return undefined;
  const about = new Set(contentOf(subject));
  const invented = namesOf(findDates(text).rest).find(
    ({ stem: name }) => !heard.has(name) && !elsewhere.has(name) && !about.has(name) && !SMALL.has(name),
  );
  return invented === undefined ? undefined : `names "${invented.name}", which the user did not`;
}

/** Words with a capital that begin no sentence. */
function namesOf(text: string): { readonly name: string; readonly stem: string }[] {
  const found = text.match(/(?<=[^.!?\s]\s+)\p{Lu}\p{Ll}[\p{L}\p{N}]*/gu) ?? [];
  return found
    .filter((name) => !CALENDAR.test(name))
    .flatMap((name) => plainWords(name).map((word) => ({ name, stem: stem(word) })));
}

const CALENDAR =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$|^user/i;

function covered(
  words: readonly string[],
  heard: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
  quoted: boolean,
): string | undefined {
  const missing = words.filter((word) => !heard.has(word));
  if (words.length === 0) return "says nothing that the user said";
  const share = 1 - missing.length / words.length;
  const borrowed = missing.some((word) => elsewhere.has(word));
  if (missing.some((word) => /^\d+$/.test(word))) return "names a number that the user did not say";
  if (share >= (borrowed ? LEAST_BESIDE_RECALLED : LEAST)) return undefined;
  if (borrowed) return "taken from what was recalled or from the persona, not from the user";
  // Told in another language than it was said in, the words can't be compared; the quote still is the user's.
  return quoted && share === 0 && isForeign(heard) ? undefined : "not in what the user said";
}

const ENGLISH = new Set("the a is are am i my to of and in it you do have not for on at with".split(" "));

function isForeign(heard: ReadonlySet<string>): boolean {
  return (
    heard.size >= 2 &&
    ![...heard].some((word) => word !== "in" && word !== "am" && word !== "do" && ENGLISH.has(word))
  );
}

/** Whom a fact is about must have been named, or be meant by a word such as "she". */
function subjectFault(
  { subject }: FactProposal,
  { said, recalled, agent }: Learnt,
  heard: ReadonlySet<string>,
): string | undefined {
  const key = nameKey(subject);
  if (key === "" || key === USER || key === nameKey(agent)) return undefined;
  const names = contentOf(subject);
  if (names.length === 0 || names.some((word) => heard.has(word))) return undefined;
  const known = stemsOf(recalled.join("\n"));
  if (PRONOUN.test(said) || names.every((word) => known.has(word))) return undefined;
  return "is about someone whom the user did not name";
}

/**
 * Why words rest on nothing that the user told, although the user said them: a question, a request or a role for the
 * assistant. Undefined when they may be told.
 */
export function notToldIn(said: string, words: string): string | undefined {
  return notTold(words, sentencesOf(said));
}

/** The sentences that hold the quote must tell something: a question or a request tells nothing of the user. */
function notTold(quote: string, sentences: readonly string[]): string | undefined {
  const wanted = contentOf(quote);
  const holding = sentences.filter((sentence) => {
    const words = stemsOf(sentence);
    return wanted.some((word) => words.has(word));
  });
  if (holding.length === 0 || holding.some((sentence) => FIRST_PERSON.test(sentence))) return undefined;
  if (holding.every((sentence) => /[?？]\s*$/.test(sentence))) return "asked, not told";
  if (holding.every((sentence) => ROLE.test(sentence))) return "tells the assistant how to be, not the user";
  return holding.every((sentence) => REQUEST.test(sentence) || /[?？]\s*$/.test(sentence))
    ? "a request, not a fact"
    : undefined;
}

/** The sentence of the user's that shares most with a fact. */
function best(words: readonly string[], sentences: readonly string[]): string {
  const ranked = sentences.map((sentence) => {
    const heard = stemsOf(sentence);
    return { sentence, count: words.filter((word) => heard.has(word)).length };
  });
  const first = ranked.reduce((top, next) => (next.count > top.count ? next : top), {
    sentence: "",
    count: 0,
  });
  return oneLine(first.sentence).slice(0, MAX_QUOTE).toWellFormed();
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?。！？])\s*(?=\S)|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** What a fact tells beyond how it tells it, as stems: without dates, which are written out from words such as "tomorrow". */
function tellingWords({ text, subject }: FactProposal): string[] {
  const about = new Set(contentOf(subject));
  const words = contentOf(findDates(text).rest).filter((word) => !about.has(word));
  const telling = words.filter((word) => !GENERAL.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

function contentOf(text: string): string[] {
  return plainWords(text)
    .filter((word) => !SMALL.has(word))
    .map(stem);
}

function stemsOf(text: string): Set<string> {
  return new Set(plainWords(text).map(stem));
}

/** The grounding of what rests on nothing, with the reason in a few words. */
export function no(reason: string): Grounding {
  return { ok: false, reason };
}

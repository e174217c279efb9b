import type { EdgeProposal, EntityProposal, FactProposal, Learnt } from "../memory/types.ts";
import { USER } from "../memory/types.ts";
import { DAY_MS, dayText, systemTimeZone, wallTime } from "../time/civil.ts";
import { resolveTimeWords, writeOutTimes, type ResolvedTime } from "../time/time-words.ts";
import type { Extraction } from "./extraction-schema.ts";
import { groundOf } from "./ground.ts";
import { extractByRules } from "./rules/extract.ts";

/** How sure a fact is that a model read, and one that the user was not sure of. */
const CERTAIN = 0.8;
const UNCERTAIN = 0.5;
/** What an interest moves by when it comes up. */
const INTEREST_STEP = 0.1;
/** Strength of a relation that is told for the first time. */
const FIRST_STRENGTH = 0.5;

/** The turn that is learnt from. */
export interface LearningTurn {
  readonly said: string;
  readonly agent: string;
  /** Milliseconds since the epoch: the turn's clock, not the reader's. */
  readonly time: number;
  readonly timeZone?: string;
  /** Whether something was recalled for it: what then only restates that is for memory to tell. */
  readonly hasRecalled?: boolean;
}

/** What is proposed to memory, and what was turned down before that. */
export interface Proposal {
  readonly learnt: Pick<Learnt, "by" | "facts" | "entities" | "edges" | "interests">;
  readonly rejected: readonly { readonly text: string; readonly reason: string }[];
}

/** What rules read in a turn, with its times written out. */
export function proposeByRules(turn: LearningTurn): Proposal {
  const clock = clockOf(turn);
  const rough = extractByRules(
    turn.said,
    (words) => resolveTimeWords(words, turn.time, clock.timeZone).length > 0,
  );
  // A lasting state does not take place at the time that its sentence tells: "I moved to Oslo last week".
  const facts = rough.facts.map((fact) => {
    const dated = clock.dated(fact.text, fact.quote);
    return fact.kind === "event" ? { ...fact, ...dated } : { ...fact, text: clock.written(fact.text) };
  });
  const edges = rough.edges.map((edge) => ({ ...edge, text: clock.written(edge.text) }));
  return { learnt: { by: "rules", facts, entities: rough.entities, edges }, rejected: [] };
}

/** What a model read in a turn: times written out by the turn's clock, and nothing that the user did not say. */
export function proposeByModel(extraction: Extraction, turn: LearningTurn): Proposal {
  const clock = clockOf(turn);
  const rejected: { text: string; reason: string }[] = [];
  const facts = extraction.facts.flatMap((fact): FactProposal[] => {
    const ungrounded = groundOf(fact.text, fact.quote, turn.said);
    if (ungrounded !== undefined && turn.hasRecalled !== true) {
      rejected.push({ text: fact.text, reason: ungrounded });
      return [];
    }
    const { text, ...event } = clock.dated(fact.text, fact.quote);
    const subject = subjectOf(fact.about);
    const owner = subject.toLowerCase() === turn.agent.toLowerCase() ? turn.agent : USER;
    const confidence = fact.certain ? CERTAIN : UNCERTAIN;
    const said = { quote: fact.quote, ...(ungrounded !== undefined && { ungrounded }) };
    return [{ kind: fact.kind, text, subject, confidence, owner, ...said, ...event }];
  });
  const edges = extraction.relations.map((relation): EdgeProposal => {
    const type = relation.type.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "_");
    return {
      from: subjectOf(relation.from),
      to: subjectOf(relation.to),
      type,
      text: "",
      strength: FIRST_STRENGTH,
      holds: relation.current,
      quote: relation.quote,
    };
  });
  const entities: EntityProposal[] = extraction.entities.filter(({ name }) => subjectOf(name) !== USER);
  const interests = extraction.interests
    .filter((name) => groundOf(name, name, turn.said) === undefined)
    .map((name) => ({
      name,
      delta: extraction.sentiment === "negative" ? -INTEREST_STEP / 2 : INTEREST_STEP,
    }));
  return { learnt: { by: "model", facts, entities, edges, interests }, rejected };
}

function subjectOf(name: string): string {
  return /^(?:the )?user$|^(?:i|me|myself)$/iu.test(name.trim()) ? USER : name.trim();
}

interface Dated {
  readonly text: string;
  readonly eventFrom?: number;
  readonly eventTo?: number;
}

/** The turn's own clock: what its time words mean. */
function clockOf({ said, time, timeZone = systemTimeZone() }: LearningTurn): {
  readonly timeZone: string;
  /** With its relative times written out. */
  written(text: string): string;
  /** The same, with the time of its quote if it does not tell it, and when that is. */
  dated(text: string, quote: string): Dated;
} {
  const times = resolveTimeWords(said, time, timeZone);
  return {
    timeZone,
    written: (text) => (YEARLY.test(text) ? text : writeOutTimes(text, time, timeZone).text),
    dated: (text, quote) => {
      const [when] = timesOf(quote, said, times);
      const { text: written, times: own } = writeOutTimes(text, time, timeZone);
      const told = when ?? own[0];
      if (told === undefined) return { text: written };
      if (YEARLY.test(text) && /\d/u.test(told.text)) return { text };
      return { text: withDate(written, told, timeZone), eventFrom: told.from, eventTo: told.to };
    },
  };
}

/** A day of every year has no year. */
const YEARLY = /\b(?:birthday|anniversary|geburtstag|jahrestag|anniversaire|cumpleaños)\b/iu;

/** The times of a text that stand in some words of it: read in the whole, where the verbs around them are known. */
function timesOf(quote: string, said: string, times: readonly ResolvedTime[]): readonly ResolvedTime[] {
  const from = said.toLowerCase().indexOf(quote.toLowerCase());
  if (from < 0) return times.filter(({ text }) => quote.toLowerCase().includes(text.toLowerCase()));
  return times.filter(({ index, text }) => index >= from && index + text.length <= from + quote.length);
}

const DATE = /\d{4}-\d{2}-\d{2}/gu;

/** A statement that tells its date, and the right one: the words say which day it is, not the model. */
function withDate(text: string, { from, written, text: words }: ResolvedTime, timeZone: string): string {
  const day = dayText(Math.floor(wallTime(from, timeZone) / DAY_MS));
  if (text.includes(day) || text.includes(written) || text.includes(words)) return text;
  const [first] = text.match(DATE) ?? [];
  if (first !== undefined && written.includes(day)) return text.replaceAll(first, day);
  return /[.!?]$/u.test(text) ? `${text.slice(0, -1)} (${written}).` : `${text} (${written})`;
}

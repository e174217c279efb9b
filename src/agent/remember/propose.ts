import type { EdgeProposal, EntityProposal, FactProposal, Learnt } from "../memory/types.ts";
import { USER } from "../memory/types.ts";
import { DAY_MS, dayText, systemTimeZone, wallTime } from "../time/civil.ts";
import { resolveTimeWords, type ResolvedTime } from "../time/time-words.ts";
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

/** What rules read in a turn, in the user's words, with the time that they tell beside them. */
export function proposeByRules(turn: LearningTurn): Proposal {
  const clock = clockOf(turn);
  const { facts, entities, edges } = extractByRules(turn.said, (words) => clock.tells(words));
  // A lasting state does not take place at the time that its sentence tells: "I moved to Oslo last week".
  const dated = facts.map((fact) =>
    fact.kind === "event" ? { ...fact, ...clock.timeOf(fact.text, fact.quote) } : fact,
  );
  return { learnt: { by: "rules", facts: dated, entities, edges }, rejected: [] };
}

/** What a model read in a turn, with times by the turn's clock, and nothing that the user did not say. */
export function proposeByModel(extraction: Extraction, turn: LearningTurn): Proposal {
  const clock = clockOf(turn);
  const rejected: { text: string; reason: string }[] = [];
  const facts = extraction.facts.flatMap((fact): FactProposal[] => {
    const ungrounded = groundOf(fact.text, fact.quote, turn.said);
    if (ungrounded !== undefined && turn.hasRecalled !== true) {
      rejected.push({ text: fact.text, reason: ungrounded });
      return [];
    }
    const subject = subjectOf(fact.about);
    const owner = subject.toLowerCase() === turn.agent.toLowerCase() ? turn.agent : USER;
    const confidence = fact.certain ? CERTAIN : UNCERTAIN;
    const said = { quote: fact.quote, ...(ungrounded !== undefined && { ungrounded }) };
    const event = clock.timeOf(fact.text, fact.quote);
    const text = clock.namesOtherDay(fact.text, event) ? fact.quote : fact.text;
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

/** When something takes place; nothing where no words tell it. */
type EventTime = Pick<FactProposal, "eventFrom" | "eventTo">;

/** The turn's own clock: what its time words mean. */
function clockOf({ said, time, timeZone = systemTimeZone() }: LearningTurn): {
  readonly tells: (words: string) => boolean;
  /** By the words of its quote, else by its own. */
  readonly timeOf: (text: string, quote: string) => EventTime;
  /** A statement names a day that was not named and that the user's words don't mean: the model's own. */
  readonly namesOtherDay: (text: string, event: EventTime) => boolean;
} {
  const times = resolveTimeWords(said, time, timeZone);
  return {
    tells: (words) => resolveTimeWords(words, time, timeZone).length > 0,
    timeOf: (text, quote) => {
      const told = timesOf(quote, said, times)[0] ?? resolveTimeWords(text, time, timeZone)[0];
      const isYearly = YEARLY.test(text) && /\d/u.test(told?.text ?? "");
      return told === undefined || isYearly ? {} : { eventFrom: told.from, eventTo: told.to };
    },
    namesOtherDay: (text, { eventFrom, eventTo }) => {
      const dayOf = (instant: number): string => dayText(Math.floor(wallTime(instant, timeZone) / DAY_MS));
      const isMeant = (day: string): boolean =>
        eventFrom !== undefined && dayOf(eventFrom) <= day && day <= dayOf(eventTo ?? eventFrom);
      return (text.match(DATE) ?? []).some((day) => !said.includes(day) && !isMeant(day));
    },
  };
}

const DATE = /\d{4}-\d{2}-\d{2}/gu;

/** A day of every year has no year. */
const YEARLY = /\b(?:birthday|anniversary|geburtstag|jahrestag|anniversaire|cumpleaños)\b/iu;

/** The times of a text that stand in some words of it: read in the whole, where the verbs around them are known. */
function timesOf(quote: string, said: string, times: readonly ResolvedTime[]): readonly ResolvedTime[] {
  const from = said.toLowerCase().indexOf(quote.toLowerCase());
  if (from < 0) return times.filter(({ text }) => quote.toLowerCase().includes(text.toLowerCase()));
  return times.filter(({ index, text }) => index >= from && index + text.length <= from + quote.length);
}

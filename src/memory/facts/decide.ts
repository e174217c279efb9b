import type { FactProposal } from "../../agent/memory/types.ts";
import { CONFIDENCE_RANGE, CONFIDENCE_THRESHOLD } from "../../agent/memory/types.ts";
import { englishCountries, tellsOfMove } from "../graph/countries.ts";
import type { Statement } from "./statement.ts";
import { compareStatements, differsInTimeOnly, likeness, mayBeSame, readStatement } from "./statement.ts";
import { statementOf, type StoredFact } from "./table.ts";

/** Confidence rises by so much with each repeat. */
export const REPEAT_STEP = 0.05;
/**
 * From this cosine on two facts may be one, if nothing that an embedder is blind to tells them apart. With
 * all-MiniLM-L6-v2 "is allergic to peanuts" and "has a peanut allergy" have .90; "likes red wine" and "likes white wine"
 * have .87, "likes tea" and "does not like tea" .90.
 */
export const SAME_COSINE = 0.89;
/** A restatement of what was recalled is known by so much of its words, or by its meaning. */
const ECHO_WORDS = 0.4;
const ECHO_COSINE = 0.75;
/** What an extractor says is contradicted is known by so much of its words. */
const CONTRADICTED_WORDS = 0.5;

/** A stored fact with what it states and how near it is in meaning to the proposal, where that is known. */
export interface Candidate {
  readonly fact: StoredFact;
  readonly statement: Statement;
  readonly cosine?: number;
}

/** What becomes of a proposal that rests on the user's words. */
export type Decision =
  | { readonly become: "repeat"; readonly fact: StoredFact }
  | { readonly become: "fact"; readonly closes: readonly StoredFact[]; readonly validTo: number | null }
  | { readonly become: "nothing"; readonly reason: string };

/** Brings a confidence into the bounds that it never leaves. */
export function clampConfidence(confidence: number): number {
  const { min, max } = CONFIDENCE_RANGE;
  return Math.min(max, Math.max(min, Math.round(confidence * 1_000) / 1_000));
}

/** A candidate for comparison, made of a stored fact. */
export function candidateOf(fact: StoredFact, cosine?: number): Candidate {
  const statement = statementOf(fact);
  return cosine === undefined ? { fact, statement } : { fact, statement, cosine };
}

/**
 * Decides on a proposal beside the facts that hold: the same one said again, a new one that closes what it contradicts,
 * or neither. `said` is when it was said: an older statement never closes a newer one, it is over itself.
 */
export function decide(proposal: FactProposal, said: number, candidates: readonly Candidate[]): Decision {
  const stated = readStatement(proposal.text, proposal.subject, said);
  const same = candidates.find(({ statement }) => compareStatements(stated, statement) === "same");
  const meant =
    same ??
    nearest(
      candidates.filter(
        ({ statement, cosine }) => (cosine ?? 0) >= SAME_COSINE && mayBeSame(stated, statement),
      ),
    );
  if (meant !== undefined) return { become: "repeat", fact: meant.fact };
  const against = candidates.filter((candidate) => opposed(proposal, stated, candidate, said));
  const sure = proposal.confidence >= CONFIDENCE_THRESHOLD;
  const surer = against.find(({ fact }) => !sure && fact.confidence > proposal.confidence);
  if (surer !== undefined) {
    return { become: "nothing", reason: `contradicts "${surer.fact.text}" and is less certain` };
  }
  const newer = against.filter(({ fact }) => fact.validFrom > said);
  const older = against.filter(({ fact }) => fact.validFrom <= said);
  return {
    become: "fact",
    closes: older.map(({ fact }) => fact),
    validTo: newer.length === 0 ? null : Math.min(...newer.map(({ fact }) => fact.validFrom)),
  };
}

/** The fact that a proposal only restates in other words; undefined when it is like none. */
export function echoOf(
  proposal: FactProposal,
  said: number,
  candidates: readonly Candidate[],
): StoredFact | undefined {
  const stated = readStatement(proposal.text, proposal.subject, said);
  const alike = candidates
    .map((candidate) => ({
      candidate,
      words: likeness(stated, candidate.statement),
      cosine: stated.negative === candidate.statement.negative ? (candidate.cosine ?? 0) : 0,
    }))
    .filter(({ words, cosine }) => words >= ECHO_WORDS || cosine >= ECHO_COSINE)
    .sort((one, other) => Math.max(other.words, other.cosine) - Math.max(one.words, one.cosine));
  return alike[0]?.candidate.fact;
}

function nearest(candidates: readonly Candidate[]): Candidate | undefined {
  return [...candidates].sort((one, other) => (other.cosine ?? 0) - (one.cosine ?? 0))[0];
}

function opposed(
  proposal: FactProposal,
  stated: Statement,
  { fact, statement }: Candidate,
  said: number,
): boolean {
  if (compareStatements(stated, statement) === "contradicts")
    return !mayBothBeHome(proposal, stated, statement);
  // What was planned for another time than it is now has been put off; what has happened has happened.
  const planned = fact.eventFrom !== null && fact.eventFrom > said && proposal.eventFrom !== undefined;
  if (planned && differsInTimeOnly(stated, statement)) return true;
  return proposal.contradicts !== undefined && namedAsOver(proposal.contradicts, stated, fact, statement);
}

let countries: ReadonlySet<string> | undefined;

function isCountry(place: ReadonlySet<string>): boolean {
  countries ??= new Set(
    englishCountries().map((name) => [...readStatement(`lives in ${name}`, "").value].sort().join(" ")),
  );
  return countries.has([...place].sort().join(" "));
}

/**
 * Who lives in Norway may live in Oslo: a country and a place that is none stand side by side unless the words tell of a
 * move.
 */
function mayBothBeHome(proposal: FactProposal, one: Statement, other: Statement): boolean {
  if (one.attribute?.split(" ").includes("residence") !== true || one.negative || other.negative)
    return false;
  return (
    isCountry(one.value) !== isCountry(other.value) && !tellsOfMove(`${proposal.text} ${proposal.quote}`)
  );
}

/** An extractor's word that a fact is over counts unless both can well hold side by side. */
function namedAsOver(
  contradicts: string,
  stated: Statement,
  fact: StoredFact,
  statement: Statement,
): boolean {
  const named = readStatement(contradicts, fact.subject);
  const isNamed =
    compareStatements(named, statement) === "same" || likeness(named, statement) >= CONTRADICTED_WORDS;
  const besides =
    stated.relation !== undefined &&
    stated.relation === statement.relation &&
    stated.negative === statement.negative;
  return isNamed && !besides;
}

import type { Table } from "@lancedb/lancedb";
import type { FactProposal, Learned, Learnt } from "../../agent/memory/types.ts";
import { USER } from "../../agent/memory/types.ts";
import { keptSubject, oneLine, outOfBounds } from "./bounds.ts";
import type { Candidate } from "./decide.ts";
import { REPEAT_STEP, candidateOf, clampConfidence, decide, echoOf } from "./decide.ts";
import { candidates, put } from "./fact-store.ts";
import type { Grounding } from "./grounding.ts";
import { groundFact, no } from "./grounding.ts";
import { toldBy } from "./retold.ts";
import { readStatement, tellingStems } from "./statement.ts";
import { statementOf, withSource, type StoredFact } from "./table.ts";

/** Most facts that are taken from one turn. */
const MAX_FACTS = 50;
/** A fact was recalled when so much of what it says stands in what was recalled. */
const RECALLED_WORDS = 0.8;

/** A proposal that may be looked at further, in the form in which it would be kept. */
export interface Sifted {
  readonly proposal: FactProposal;
  readonly ground: Grounding;
}

/** What became of facts. */
export type LearnedFacts = Omit<Learned, "entities" | "edges">;

interface Outcome {
  added: { id: string; text: string }[];
  repeated: { id: string; text: string }[];
  closed: { id: string; text: string }[];
  rejected: { text: string; reason: string }[];
}

/** What facts are learnt with. */
export interface LearnContext {
  readonly now: number;
  readonly newId: () => string;
  /** Ids of facts near in meaning to each proposal, with the cosine. */
  readonly near: readonly ReadonlyMap<string, number>[];
}

/** Leaves out what can't be a fact, says why, and finds what the rest rests on. */
export function sift(learnt: Learnt): {
  readonly sifted: readonly Sifted[];
  readonly rejected: LearnedFacts["rejected"];
} {
  const sifted: Sifted[] = [];
  const rejected: { text: string; reason: string }[] = [];
  learnt.facts.forEach((raw, index) => {
    const proposal = kept(raw, learnt);
    const fault = index >= MAX_FACTS ? "too many facts from one turn" : outOfBounds(proposal);
    const unfit = fault ?? proposal.ungrounded;
    const ground = unfit === undefined ? groundFact(proposal, learnt) : no(unfit);
    // Without ground it may still restate what was recalled: that is for the store to tell.
    if (ground.ok || (fault === undefined && learnt.recalled.length > 0)) sifted.push({ proposal, ground });
    else rejected.push({ text: proposal.text.slice(0, 500).toWellFormed(), reason: ground.reason });
  });
  return { sifted, rejected };
}

function kept(proposal: FactProposal, learnt: Learnt): FactProposal {
  const subject = keptSubject(proposal.subject);
  return {
    ...proposal,
    text: oneLine(proposal.text),
    subject: subject === "" ? USER : subject,
    owner: proposal.owner === learnt.agent ? learnt.agent : USER,
  };
}

/**
 * Stores what was learnt from a turn as far as it is new: to be called under the table's lock, on its newest version.
 * Gives what became of each, and the facts that are new or worded anew. Rejects as the library does.
 */
export async function learnFacts(
  table: Table,
  learnt: Learnt,
  sifted: readonly Sifted[],
  context: LearnContext,
): Promise<{ readonly outcome: LearnedFacts; readonly worded: readonly StoredFact[] }> {
  const outcome: Outcome = { added: [], repeated: [], closed: [], rejected: [] };
  const work = new Working(learnt, context, outcome);
  for (const [index, one] of sifted.entries()) {
    const statements = [
      readStatement(one.proposal.text, one.proposal.subject, learnt.source.time),
      ...(one.proposal.contradicts === undefined
        ? []
        : [readStatement(one.proposal.contradicts, one.proposal.subject)]),
    ];
    const near = context.near[index] ?? new Map<string, number>();
    const stored = await candidates(table, one.proposal.owner, learnt.scope, statements, [...near.keys()]);
    work.take(one, stored, near);
  }
  await put(table, work.changed());
  return { outcome, worded: work.worded() };
}

/** The facts that one turn's proposals touch, as they will be. */
class Working {
  readonly #learnt: Learnt;
  readonly #context: LearnContext;
  readonly #outcome: Outcome;
  readonly #changed = new Map<string, StoredFact>();
  readonly #worded = new Set<string>();
  readonly #recalled: ReadonlySet<string>;

  constructor(learnt: Learnt, context: LearnContext, outcome: Outcome) {
    this.#learnt = learnt;
    this.#context = context;
    this.#outcome = outcome;
    this.#recalled = new Set(learnt.recalled.flatMap((text) => [...tellingStems(text)]));
  }

  changed(): readonly StoredFact[] {
    return [...this.#changed.values()];
  }

  worded(): readonly StoredFact[] {
    return this.changed().filter(({ id }) => this.#worded.has(id));
  }

  take({ proposal, ground }: Sifted, stored: readonly StoredFact[], near: ReadonlyMap<string, number>): void {
    const beside = this.#beside(proposal, stored, near);
    if (!ground.ok) {
      const echo = this.#echo(proposal, beside);
      if (echo === undefined) this.#reject(proposal, ground.reason);
      else this.#mention(echo);
      return;
    }
    const decision = decide(proposal, this.#learnt.source.time, beside);
    if (decision.become === "nothing") {
      this.#reject(proposal, decision.reason);
    } else if (decision.become === "repeat") {
      this.#repeat(decision.fact, proposal, ground.quote);
    } else {
      const again = ground.fresh || decision.closes.length > 0 ? undefined : this.#echo(proposal, beside);
      if (again !== undefined) {
        this.#mention(again);
        return;
      }
      this.#add(proposal, ground.quote, decision.validTo);
      decision.closes.forEach((fact) => this.#close(fact));
    }
  }

  #echo(proposal: FactProposal, beside: readonly Candidate[]): StoredFact | undefined {
    return echoOf(
      proposal,
      this.#learnt.source.time,
      beside.filter((candidate) => this.#wasRecalled(candidate)),
    );
  }

  /** What stands beside a proposal: as stored, or as this turn has changed it, and what this turn has added. */
  #beside(
    proposal: FactProposal,
    stored: readonly StoredFact[],
    near: ReadonlyMap<string, number>,
  ): readonly Candidate[] {
    const added = this.changed().filter(({ owner }) => owner === proposal.owner);
    const facts = new Map([...stored, ...added].map((fact) => [fact.id, this.#changed.get(fact.id) ?? fact]));
    return [...facts.values()]
      .filter(({ validTo }) => validTo === null)
      .map((fact) => candidateOf(fact, near.get(fact.id)));
  }

  #wasRecalled({ statement }: Candidate): boolean {
    const words = [...statement.all].filter((word) => !word.startsWith("@"));
    const there = words.filter((word) => this.#recalled.has(word)).length;
    return words.length > 0 && there / words.length >= RECALLED_WORDS;
  }

  #reject({ text }: FactProposal, reason: string): void {
    this.#outcome.rejected.push({ text, reason });
  }

  /** A restatement of what was recalled is no new evidence: it counts, and changes nothing else. */
  #mention(fact: StoredFact): void {
    if (this.#seen(fact)) return;
    this.#outcome.repeated.push({ id: fact.id, text: fact.text });
    this.#changed.set(fact.id, { ...fact, mentions: fact.mentions + 1 });
  }

  #repeat(fact: StoredFact, proposal: FactProposal, quote: string): void {
    if (this.#seen(fact)) return;
    const { now } = this.#context;
    const { source } = this.#learnt;
    const said = readStatement(proposal.text, proposal.subject, source.time);
    const known = statementOf(fact);
    const fuller = fact.by !== "user" && said.all.size > known.all.size;
    this.#changed.set(fact.id, {
      ...fact,
      text: fuller ? proposal.text : fact.text,
      confidence: clampConfidence(fact.confidence + REPEAT_STEP),
      mentions: fact.mentions + 1,
      validFrom: Math.min(fact.validFrom, source.time),
      eventFrom: fact.eventFrom ?? proposal.eventFrom ?? null,
      eventTo: fact.eventTo ?? proposal.eventTo ?? null,
      sources: withSource(fact.sources, {
        ...source,
        quote,
        text: proposal.text,
        ...toldBy(proposal),
      }),
      updatedAt: now,
    });
    if (fuller) this.#worded.add(fact.id);
    this.#outcome.repeated.push({ id: fact.id, text: fact.text });
  }

  #add(proposal: FactProposal, quote: string, validTo: number | null): void {
    const { now, newId } = this.#context;
    const { source, scope, by } = this.#learnt;
    const { kind, text, subject, owner, confidence, eventFrom, eventTo } = proposal;
    const id = newId().toLowerCase();
    this.#changed.set(id, {
      ...{ id, kind, text, subject, owner, scope, by, quote, source, validTo },
      confidence: clampConfidence(confidence),
      validFrom: source.time,
      eventFrom: eventFrom ?? null,
      eventTo: eventTo ?? null,
      mentions: 1,
      pinned: false,
      createdAt: now,
      updatedAt: now,
      sources: [{ ...source, quote, text, ...toldBy(proposal) }],
    });
    this.#worded.add(id);
    this.#outcome.added.push({ id, text });
  }

  #close(fact: StoredFact): void {
    const { now } = this.#context;
    const validTo = Math.max(fact.validFrom, this.#learnt.source.time);
    this.#changed.set(fact.id, { ...fact, validTo, updatedAt: now });
    this.#outcome.closed.push({ id: fact.id, text: fact.text });
  }

  /** What one turn says twice counts once. */
  #seen({ id }: StoredFact): boolean {
    return this.#changed.has(id);
  }
}

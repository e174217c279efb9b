import type { FactProposal, Learnt } from "../../../../src/agent/memory/types.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import { Facts } from "../../../../src/memory/facts/facts.ts";
import type { KnowledgeDeps } from "../../../../src/memory/knowledge-deps.ts";
import { learntFrom, openKnowledge } from "../knowledge.ts";
import { never, valueOf } from "../support.ts";

/** A day, in milliseconds. */
export const DAY = 86_400_000;
/** When the tests' first turn is. */
export const START = Date.UTC(2026, 10, 2, 12);

/** One window's view of a store. */
export interface Window {
  readonly folder: string;
  readonly deps: KnowledgeDeps;
  readonly facts: Facts;
  /** Moves the clock, in milliseconds. */
  readonly wait: (milliseconds: number) => void;
}

/** Opens a store, in a new folder unless one is given; closed after the test. */
export async function openWindow(
  options: { readonly folder?: string; readonly embedder?: Embedder } = {},
): Promise<Window> {
  let now = START;
  const { folder, ...deps } = await openKnowledge({ ...options, now: () => now });
  const wait = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { folder, deps, facts: new Facts(deps), wait };
}

/** A proposal of which the user's words are the text itself; `fields` replaces what matters to the test. */
export function proposal(text: string, fields: Partial<FactProposal> = {}): FactProposal {
  return { kind: "fact", text, subject: "User", confidence: 0.7, owner: "user", quote: "", ...fields };
}

let turns = 0;

/** What was learnt from a turn of its own; `fields` replaces what matters to the test. */
export function learnt(said: string, fields: Partial<Learnt> = {}): Learnt {
  turns += 1;
  const source = { sessionId: "session", turnId: `turn-${turns}`, time: START + turns * 1_000 };
  return learntFrom(source, said, fields);
}

/** What a user tells of himself in plain words, and the facts in it. */
export function telling(said: string, ...texts: string[]): Learnt {
  return learnt(said, { facts: texts.map((text) => proposal(text)) });
}

/** All facts, the latest changed first. */
export async function allFacts({
  facts,
}: Window): Promise<readonly Awaited<ReturnType<typeof rowsOf>>[number][]> {
  return rowsOf(facts);
}

async function rowsOf(facts: Facts) {
  return valueOf(await facts.list({ table: "facts", offset: 0, limit: 200 }, never)).rows;
}

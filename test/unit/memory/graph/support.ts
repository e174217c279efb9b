import type { Learnt } from "../../../../src/agent/memory/types.ts";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { learntFrom, openKnowledge, type KnowledgeOptions, type OpenKnowledge } from "../knowledge.ts";
import { never, valueOf } from "../support.ts";

/** The clock of the tests: 8 May 2026, noon. */
export const NOON = new Date(2026, 4, 8, 12).getTime();
/** A day in milliseconds. */
export const DAY = 24 * 60 * 60 * 1_000;

/** What a window is made of that a test wants to differ. */
export type WindowOptions = Partial<KnowledgeOptions>;

/** The parts of memory as one window has them, on a folder of its own unless one is given. */
export function openWindow(options: WindowOptions = {}): Promise<OpenKnowledge> {
  return openKnowledge({ now: () => NOON, ...options });
}

/** A graph with a folder of its own. */
export async function openGraph(options: WindowOptions = {}): Promise<Graph> {
  return new Graph(await openWindow(options));
}

let turns = 0;

/** What was learnt from a turn of its own: nothing unless `fields` says so. */
export function learnt(said: string, fields: Partial<Learnt> = {}): Learnt {
  turns += 1;
  return learntFrom({ sessionId: "session-1", turnId: `turn-${turns}`, time: NOON }, said, fields);
}

/** A relation that holds, told in the words of the test. */
export function edge(
  from: string,
  type: string,
  to: string,
  fields: Partial<Learnt["edges"][number]> = {},
): Learnt["edges"][number] {
  return {
    ...{ from, type, to, strength: 0.5, holds: true, quote: "" },
    text: `${from} ${type.replaceAll("_", " ")} ${to}`,
    ...fields,
  };
}

/** A turn that tells relations in so many words. */
export function tells(...edges: readonly Learnt["edges"][number][]): Learnt {
  return learnt(edges.map(({ text }) => text).join(". "), { edges });
}

/** The same as if it had been told at another time. */
export function at(time: number, told: Learnt): Learnt {
  return { ...told, source: { ...told.source, time } };
}

/** Everybody and everything that is known, by name. */
export async function names(graph: Graph): Promise<string[]> {
  const page = valueOf(await graph.people({ table: "people", offset: 0, limit: 100 }, never));
  return page.rows.map(({ name }) => name).sort();
}

/** What is told of people, best first. */
export async function linesOf(graph: Graph, ...people: string[]): Promise<string[]> {
  return valueOf(await graph.answer({ people, locations: [] }, never)).lines.map(({ text }) => text);
}

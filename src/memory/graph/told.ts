import { z } from "zod";
import type { Relationship } from "../../agent/memory/types.ts";

/** What each mention adds to a relation's strength. */
const MENTION = 0.05;
/** So many turns are kept with what they said of a relation: the first, and the latest. */
const MAX_TOLD = 50;

/** What one turn said of a relation. */
export interface Telling {
  readonly turnId: string;
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly text: string;
  readonly quote: string;
  /** 0..1; counts when it is the first. */
  readonly strength: number;
  /** Since when and until when it said that it holds; null: it did not say. */
  readonly validFrom: number | null;
  readonly validTo: number | null;
}

/** What of a relation turns told. */
type Retold = Pick<Relationship, "text" | "strength" | "mentions" | "validFrom" | "validTo" | "source"> & {
  readonly quote: string;
};

const moment = z.number().min(-8.64e15).max(8.64e15);

/** What turns told of a relation, as it is kept. */
export const toldSchema = z
  .array(
    z.object({
      turnId: z.string().max(500),
      sessionId: z.string().max(500),
      time: moment,
      text: z.string().max(10_000),
      quote: z.string().max(10_000),
      strength: z.number().min(0).max(1),
      validFrom: moment.nullable(),
      validTo: moment.nullable(),
    }),
  )
  .max(MAX_TOLD);

/** Adds what a turn told; of one turn the first counts. */
export function withTelling(told: readonly Telling[], telling: Telling): readonly Telling[] {
  // A turn without an id can't be forgotten.
  if (telling.turnId === "" || told.some(({ turnId }) => turnId === telling.turnId)) return told;
  const all = [...told, telling];
  return all.length <= MAX_TOLD ? all : [...all.slice(0, 1), ...all.slice(1 - MAX_TOLD)];
}

/** What was told of two relations that are one. */
export function toldOfBoth(one: readonly Telling[], other: readonly Telling[]): readonly Telling[] {
  return other.reduce(withTelling, one);
}

/** Strength after one more mention, capped at 1; rounded, so that sums of it stay plain numbers. */
export function stronger(strength: number): number {
  return Math.min(1, Math.round((strength + MENTION) * 1e6) / 1e6);
}

/**
 * The relation as if some turns had not told it; unchanged where it is not known what they told. What it has from
 * elsewhere stays: words and strength that the user gave, and an end that another relation put to it.
 */
export function untold<T extends Retold & { readonly told: readonly Telling[] }>(
  edge: T,
  gone: (turnId: string) => boolean,
): T {
  const told = edge.told.filter(({ turnId }) => !gone(turnId));
  const before = retell(edge.told);
  const after = retell(told);
  if (before === undefined || after === undefined) return { ...edge, told };
  const keep = <K extends keyof typeof after>(field: K): (typeof after)[K] =>
    edge[field] === before[field] ? after[field] : edge[field];
  const mentions = Math.max(1, edge.mentions - (edge.told.length - told.length));
  return {
    ...edge,
    ...{ told, mentions },
    text: keep("text"),
    quote: after.quote,
    strength: keep("strength"),
    validFrom: keep("validFrom"),
    validTo: keep("validTo"),
  };
}

/** Until when turns told that a relation holds; null: they did not say. Undefined when it is not known what they told. */
export function toldEnd(told: readonly Telling[]): number | null | undefined {
  return retell(told)?.validTo;
}

/** What a relation is by what turns told of it, in the order in which they were heard. */
function retell(
  told: readonly Telling[],
): Pick<Retold, "text" | "quote" | "strength" | "validFrom" | "validTo"> | undefined {
  const [first, ...others] = told;
  if (first === undefined) return undefined;
  const start = first.validFrom ?? Math.min(first.time, first.validTo ?? first.time);
  let { strength, validTo } = first;
  let validFrom = Math.min(start, validTo ?? start);
  for (const next of others) {
    strength = stronger(strength);
    if (next.validTo === null) validFrom = next.validFrom ?? Math.min(validFrom, next.time);
    else [validFrom, validTo] = [next.validFrom ?? validFrom, next.validTo];
    validFrom = Math.min(validFrom, validTo ?? validFrom);
  }
  return { text: first.text, quote: first.quote, strength, validFrom, validTo };
}

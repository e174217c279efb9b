import type { Fact } from "../../agent/memory/types.ts";
import type { StoredFact } from "./table.ts";

/** Most facts of a card, beside the pinned ones. */
export const MAX_CARD_FACTS = 5;
/** Most pinned facts of a card. */
export const MAX_CARD_PINNED = 10;
/** A fact counts half as recent when so much newer ones are known, in milliseconds. */
const HALF_LIFE_MS = 30 * 24 * 60 * 60 * 1_000;
/** How much being to the point counts beside being recent; both are 0..1. */
const SIMILARITY_WEIGHT = 0.6;

/** A fact with how well it fits a question, 0..1. */
export interface RankedFact {
  readonly fact: StoredFact;
  readonly similarity: number;
}

/** What a card may hold. */
export interface CardRules {
  /** Facts with less confidence are left out. */
  readonly minConfidence: number;
  /** Facts that one of these turns says are left out. */
  readonly excludeTurnIds: ReadonlySet<string>;
  /** So many that fit, best first, then so many of the latest others; left out: five, by both together. */
  readonly wanted?: { readonly fitting: number; readonly latest: number };
}

/**
 * The facts of a card: those that hold now, by how well they fit and how recent they are among each other, so that the
 * clock has no part in it; pinned ones apart. The same facts give the same card in whatever order they come.
 */
export function chooseCard(
  ranked: readonly RankedFact[],
  { minConfidence, excludeTurnIds, wanted }: CardRules,
): { readonly facts: readonly StoredFact[]; readonly pinned: readonly StoredFact[] } {
  const usable = ranked.filter(
    ({ fact }) =>
      fact.validTo === null &&
      fact.confidence >= minConfidence &&
      !fact.sources.some(({ turnId }) => excludeTurnIds.has(turnId)) &&
      !excludeTurnIds.has(fact.source.turnId),
  );
  const newest = Math.max(...usable.map(({ fact }) => fact.updatedAt));
  const value = ({ fact, similarity }: RankedFact): number => {
    const recency = 2 ** ((fact.updatedAt - newest) / HALF_LIFE_MS);
    return SIMILARITY_WEIGHT * similarity + (1 - SIMILARITY_WEIGHT) * recency;
  };
  const best = [...usable].sort((one, other) => value(other) - value(one) || byAge(one.fact, other.fact));
  const loose = best.filter(({ fact }) => !fact.pinned);
  return {
    facts: (wanted === undefined ? loose.slice(0, MAX_CARD_FACTS) : apart(loose, wanted)).map(
      ({ fact }) => fact,
    ),
    pinned: usable
      .map(({ fact }) => fact)
      .filter(({ pinned }) => pinned)
      .sort(byAge)
      .slice(0, MAX_CARD_PINNED),
  };
}

/** Those that fit best, then the latest of the others. */
function apart(
  ranked: readonly RankedFact[],
  { fitting, latest }: { readonly fitting: number; readonly latest: number },
): readonly RankedFact[] {
  const fit = ranked
    .filter(({ similarity }) => similarity > 0)
    .sort((one, other) => other.similarity - one.similarity || byAge(one.fact, other.fact))
    .slice(0, fitting);
  const others = ranked
    .filter((one) => !fit.includes(one))
    .sort((one, other) => byAge(one.fact, other.fact))
    .slice(0, latest);
  return [...fit, ...others];
}

function byAge(one: Fact, other: Fact): number {
  if (one.updatedAt !== other.updatedAt) return other.updatedAt - one.updatedAt;
  return one.id < other.id ? -1 : 1;
}

/**
 * How well each fact fits, 0..1: the scores of full text scaled by the best of them, and cosines, half each where there
 * are both.
 */
export function fitOf(
  textScores: ReadonlyMap<string, number>,
  cosines: ReadonlyMap<string, number> | undefined,
): ReadonlyMap<string, number> {
  const best = Math.max(0, ...textScores.values());
  const ids = new Set([...textScores.keys(), ...(cosines?.keys() ?? [])]);
  return new Map(
    [...ids].map((id) => {
      const text = best === 0 ? 0 : (textScores.get(id) ?? 0) / best;
      const near = Math.max(0, cosines?.get(id) ?? 0);
      return [id, cosines === undefined ? text : (text + near) / 2];
    }),
  );
}

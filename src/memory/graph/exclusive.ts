import { mayLieWithin } from "./countries.ts";
import { CONTAINS, isSymmetric } from "./relations.ts";
import type { StoredEdge } from "./tables.ts";

/** What else is known where a relation is told. */
export interface Telling {
  /** Other relations: where one place lies in another. */
  readonly beside: readonly StoredEdge[];
  /** The turn that tells it. */
  readonly turnId: string;
  /** Whether that turn tells of a move. */
  readonly isMove: boolean;
}

/**
 * Whether a relation of an exclusive kind takes the place of another: one of the same kind and end, unless both were
 * told in one turn, or one place lies in the other.
 */
export function excludes(made: StoredEdge, edge: StoredEdge, { beside, turnId, isMove }: Telling): boolean {
  if (edge.type !== made.type || edge.scope !== made.scope || edge.owner !== made.owner) return false;
  if (edge.turns.includes(turnId)) return false;
  const ends = isSymmetric(made.type) ? [made.fromId, made.toId] : [made.fromId];
  const others = isSymmetric(made.type) ? [edge.fromId, edge.toId] : [edge.fromId];
  if (!ends.some((id) => others.includes(id))) return false;
  const liesWithin = beside.some(
    ({ type, fromId, toId }) =>
      CONTAINS.includes(type) &&
      ((fromId === edge.toId && toId === made.toId) || (fromId === made.toId && toId === edge.toId)),
  );
  return !liesWithin && (isMove || made.type !== "lives_in" || !mayLieWithin(edge.to, made.to));
}

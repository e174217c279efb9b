import type { ForgetTable } from "../../agent/memory/types.ts";
import type { StoredEdge, StoredEntity } from "../graph/tables.ts";
import { untaught } from "../graph/taught.ts";
import { untold } from "../graph/told.ts";
import { withoutTurns } from "./retold.ts";
import type { StoredFact } from "./table.ts";

/** What is to be forgotten, before what was drawn from it is added. */
export interface Doom {
  /** The turns whose text goes, each with its session (empty: not known). */
  readonly turns: ReadonlyMap<string, string>;
  /** Rows that go whatever else tells of them. */
  readonly rows: { readonly [T in ForgetTable | "interests" | "annotations"]: ReadonlySet<string> };
}

/** Rows that go, and rows that stay with something of them taken away. */
export interface Parted<T> {
  readonly gone: readonly T[];
  readonly kept: readonly T[];
}

/** What becomes of facts that a doomed turn says, or that are doomed themselves. */
export function partFacts(facts: readonly StoredFact[], { turns, rows }: Doom): Parted<StoredFact> {
  const kept = facts
    .filter(({ id }) => !rows.facts.has(id))
    .map((fact) => withoutTurns(fact, ({ turnId }) => turns.has(turnId)))
    .filter((fact) => fact !== undefined);
  return goneAnd(facts, kept);
}

/**
 * What becomes of relations. `sessionOf` gives the session of a turn that stays: the source of a relation whose first
 * turn goes is the next.
 */
export function partEdges(
  edges: readonly StoredEdge[],
  { turns, rows }: Doom,
  sessionOf: (turnId: string) => string,
): Parted<StoredEdge> {
  const kept = edges.flatMap((edge): StoredEdge[] => {
    const ends = rows.people.has(edge.fromId) || rows.people.has(edge.toId);
    const left = edge.turns.filter((turnId) => !turns.has(turnId));
    const [first] = left;
    if (rows.relationships.has(edge.id) || ends) return [];
    const gone = (turnId: string): boolean => turns.has(turnId);
    const rest = { ...untold(edge, gone), turns: left };
    if (!turns.has(edge.source.turnId)) return [rest];
    if (first === undefined) return [];
    const next = rest.told.find(({ turnId }) => turnId === first);
    const time = next?.time ?? edge.source.time;
    const source = { sessionId: next?.sessionId ?? sessionOf(first), turnId: first, time };
    return [{ ...rest, quote: next?.quote ?? "", source }];
  });
  return goneAnd(edges, kept);
}

/**
 * What becomes of entities that a doomed turn told of, or that lost a relation: without a turn and a relation that is
 * left they go, unless they are pinned. `held` are the ids at the ends of the relations that stay.
 */
export function partEntities(
  entities: readonly StoredEntity[],
  { turns, rows }: Doom,
  held: ReadonlySet<string>,
): Parted<StoredEntity> {
  const kept = entities.flatMap((entity): StoredEntity[] => {
    const left = entity.turns.filter((turnId) => !turns.has(turnId));
    const stays = left.length > 0 || held.has(entity.id) || entity.pinned;
    if (rows.people.has(entity.id) || !stays) return [];
    const mentions = Math.max(1, entity.mentions - (entity.turns.length - left.length));
    return [{ ...untaught(entity, (turnId) => turns.has(turnId)), turns: left, mentions }];
  });
  return goneAnd(entities, kept);
}

function goneAnd<T extends { readonly id: string }>(all: readonly T[], kept: readonly T[]): Parted<T> {
  const staying = new Set(kept.map(({ id }) => id));
  return { gone: all.filter(({ id }) => !staying.has(id)), kept };
}

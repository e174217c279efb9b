import type { Result } from "../../agent/failure.ts";
import { IDS_PER_FILTER } from "../store/present.ts";
import { deleteIds, select, touches, upsert, type GraphStore } from "./graph-store.ts";
import { isSymmetric } from "./relations.ts";
import { EDGE_COLUMNS, edgeRow, readEdges, withTurn, type StoredEdge, type StoredEntity } from "./tables.ts";
import { toldOfBoth } from "./told.ts";

/** Relations after entities were merged: their ends are those that stay. Unchanged ones are the same objects. */
export function movedEdges(
  edges: readonly StoredEdge[],
  merged: ReadonlyMap<string, StoredEntity>,
): StoredEdge[] {
  return edges.map((edge) => {
    const from = merged.get(edge.fromId);
    const to = merged.get(edge.toId);
    if (from === undefined && to === undefined) return edge;
    return {
      ...edge,
      ...(from !== undefined && { fromId: from.id, from: from.name }),
      ...(to !== undefined && { toId: to.id, to: to.name }),
    };
  });
}

const MAX_ROWS = 1_000_000;

/**
 * Brings the relations of replaced entities to those that stay, in one write; `mend` changes each on the way. Under the
 * lock of the entities.
 */
export function moveEdges(
  store: GraphStore,
  replaced: ReadonlyMap<string, StoredEntity>,
  mend: (edge: StoredEdge) => StoredEdge,
  signal: AbortSignal,
): Promise<Result<void>> {
  const ids = concerned(replaced);
  return store.edges.change(async (table) => {
    const read = new Map<string, StoredEdge>();
    for (let start = 0; start < ids.length; start += IDS_PER_FILTER) {
      const where = touches(ids.slice(start, start + IDS_PER_FILTER));
      const rows = readEdges(await select(table, EDGE_COLUMNS, { where, limit: MAX_ROWS }));
      rows.forEach((edge) => read.set(edge.id, edge));
    }
    const { kept, dropped } = foldEdges(movedEdges([...read.values()], replaced).map(mend));
    await upsert(table, kept.map(edgeRow));
    await deleteIds(table, dropped);
  }, signal);
}

/** The ids whose relations replacing concerns: those of who stays may be the same as those that come to it. */
export function concerned(replaced: ReadonlyMap<string, StoredEntity>): string[] {
  return [...new Set([...replaced].flatMap(([id, entity]) => [id, entity.id]))];
}

/** One relation in place of two of one kind, ends and time; one that would lead from an entity to itself goes. */
export function foldEdges(edges: readonly StoredEdge[]): {
  readonly kept: readonly StoredEdge[];
  readonly dropped: readonly string[];
} {
  const kept = new Map<string, StoredEdge>();
  const dropped: string[] = [];
  for (const edge of [...edges].sort(oldestFirst)) {
    const place = placeOf(edge);
    const earlier = kept.get(place);
    if (edge.fromId === edge.toId) {
      dropped.push(edge.id);
    } else if (earlier === undefined) {
      kept.set(place, edge);
    } else {
      kept.set(place, joined(earlier, edge));
      dropped.push(edge.id);
    }
  }
  return { kept: [...kept.values()], dropped };
}

/** Two that hold are one; one that is over is another only when it ended at another time. */
function placeOf({ fromId, toId, type, owner, scope, validTo }: StoredEdge): string {
  const ends = isSymmetric(type) ? [fromId, toId].sort() : [fromId, toId];
  return JSON.stringify([...ends, type, owner, scope, validTo]);
}

function joined(one: StoredEdge, other: StoredEdge): StoredEdge {
  return {
    ...one,
    strength: Math.max(one.strength, other.strength),
    mentions: one.mentions + other.mentions,
    validFrom: Math.min(one.validFrom, other.validFrom),
    turns: withTurn(one.turns, ...other.turns),
    told: toldOfBoth(one.told, other.told),
    updatedAt: Math.max(one.updatedAt, other.updatedAt),
  };
}

function oldestFirst(one: StoredEdge, other: StoredEdge): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

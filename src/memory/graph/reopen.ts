import type { Table } from "@lancedb/lancedb";
import type { Doom, Parted } from "../facts/doom.ts";
import type { Row } from "../store/spec.ts";
import { isOneOf } from "../store/sql.ts";
import { tellsOfMove } from "./countries.ts";
import { excludes } from "./exclusive.ts";
import { CONTAINS, isExclusive } from "./relations.ts";
import { EDGE_COLUMNS, readEdges, type StoredEdge } from "./tables.ts";
import { toldEnd } from "./told.ts";

/** Relations that are looked at for one that was closed; more of one person or thing are not known of anybody. */
const MAX_EDGES = 5_000;
/** Ends of relations in one filter. */
const MAX_IDS = 500;

/**
 * The relations that doomed turns had closed by telling another of the same exclusive kind, as if these turns had not
 * been: open again, or closed by what was told next. Reads an open table, so that it can be called under its lock, and
 * rejects as the library does.
 *
 * @param touched the relations that the turns told, as they are
 */
export async function reopenedEdges(
  table: Table,
  touched: readonly StoredEdge[],
  { gone, kept }: Parted<StoredEdge>,
  { turns }: Doom,
): Promise<readonly StoredEdge[]> {
  const now = new Map(kept.map((edge) => [edge.id, edge]));
  const moved = touched.filter(
    (edge) =>
      isExclusive(edge.type) &&
      edge.turns.some((turnId) => turns.has(turnId)) &&
      now.get(edge.id)?.validFrom !== edge.validFrom,
  );
  if (moved.length === 0) return [];
  const without = new Set(gone.map(({ id }) => id));
  const stored = (await around(table, moved)).filter(({ id }) => !without.has(id));
  const edges = stored.map((edge) => now.get(edge.id) ?? edge);
  return edges
    .filter((edge) => moved.some((closer) => isClosedBy(edge, closer, edges)))
    .map((edge) => ({ ...edge, validTo: endOf(edge, edges) }));
}

/** Whether a relation ends where another began, and not because a turn told its end. */
function isClosedBy(edge: StoredEdge, closer: StoredEdge, edges: readonly StoredEdge[]): boolean {
  const told = toldEnd(edge.told);
  return (
    edge.id !== closer.id &&
    edge.validTo === closer.validFrom &&
    told !== undefined &&
    told !== edge.validTo &&
    takesPlaceOf(closer, edge, edges)
  );
}

/** When what was told takes the place of a relation, or a turn told that it ends; null: it holds. */
function endOf(edge: StoredEdge, edges: readonly StoredEdge[]): number | null {
  const ends = edges
    .filter(
      (other) =>
        other.id !== edge.id && other.validFrom >= edge.validFrom && takesPlaceOf(other, edge, edges),
    )
    .map(({ validFrom }) => validFrom);
  const end = Math.min(toldEnd(edge.told) ?? Number.POSITIVE_INFINITY, ...ends);
  return Number.isFinite(end) ? end : null;
}

function takesPlaceOf(made: StoredEdge, edge: StoredEdge, beside: readonly StoredEdge[]): boolean {
  const isMove = tellsOfMove(`${made.type} ${made.text} ${made.quote}`);
  return excludes(made, edge, { beside, turnId: made.source.turnId, isMove });
}

/** The relations of the same ends and kinds, and those that tell which place lies in which. */
async function around(table: Table, edges: readonly StoredEdge[]): Promise<StoredEdge[]> {
  const ids = [...new Set(edges.flatMap(({ fromId, toId }) => [fromId, toId]))].slice(0, MAX_IDS);
  const types = [...new Set(edges.map(({ type }) => type))];
  const near = `(${isOneOf("from_id", ids)} OR ${isOneOf("to_id", ids)})`;
  const kinds = isOneOf("type", [...types, ...CONTAINS]);
  const rows = (await table
    .query()
    .where(`${near} AND ${kinds}`)
    .select(EDGE_COLUMNS)
    .limit(MAX_EDGES)
    .toArray()) as Row[];
  return readEdges(rows);
}

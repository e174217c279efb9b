import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { IDS_PER_FILTER, readAll } from "../store/present.ts";
import { isOneOf } from "../store/sql.ts";
import { deleteIds, select, upsert, type GraphStore } from "./graph-store.ts";
import { moveEdges } from "./merge-edges.ts";
import { mergeEntities } from "./plan-entities.ts";
import { ENTITY_COLUMNS, entityRow, readEntities, type StoredEntity } from "./tables.ts";

const MAX_ROWS = 1_000_000;

const keyed = z.object({ id: z.string(), key: z.string(), scope: z.string() });

/**
 * Merges rows of one name and scope, as an import or a store that machines share without a lock can leave them, with
 * their relations. Gives how many rows went.
 */
export async function uniteSameNames(
  store: GraphStore,
  deps: KnowledgeDeps,
  signal: AbortSignal,
): Promise<Result<number>> {
  const done = await store.entities.change(async (table) => {
    const rows = readAll(await select(table, ["id", "key", "scope"], { limit: MAX_ROWS }), keyed);
    const twice = sameOnes(rows).flat();
    const read: StoredEntity[] = [];
    for (let start = 0; start < twice.length; start += IDS_PER_FILTER) {
      const where = isOneOf("id", twice.slice(start, start + IDS_PER_FILTER));
      read.push(...readEntities(await select(table, ENTITY_COLUMNS, { where, limit: IDS_PER_FILTER })));
    }
    const byId = new Map(read.map((entity) => [entity.id, entity]));
    const replaced = new Map<string, StoredEntity>();
    for (const ids of sameOnes(rows)) {
      const [first, ...others] = ids.flatMap((id) => byId.get(id) ?? []).sort(oldestFirst);
      if (first === undefined) continue;
      const merged = others.reduce(mergeEntities, first);
      others.forEach(({ id }) => replaced.set(id, merged));
    }
    if (replaced.size === 0) return success<readonly string[]>([]);
    await upsert(table, [...new Set(replaced.values())].map(entityRow));
    const moved = await moveEdges(store, replaced, (edge) => edge, signal);
    if (!moved.ok) return moved;
    await deleteIds(table, [...replaced.keys()]);
    return success<readonly string[]>([...replaced.keys()]);
  }, signal);
  if (!done.ok) return done;
  if (!done.value.ok) return done.value;
  const gone = done.value.value;
  const wiped = gone.length === 0 ? success(0) : await deps.vectors.wipe(gone, signal);
  return wiped.ok ? success(gone.length) : wiped;
}

/** The ids of rows that share name and scope, where there is more than one. */
function sameOnes(rows: readonly z.infer<typeof keyed>[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { id, key, scope } of rows) {
    const place = JSON.stringify([scope, key]);
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [id]);
    else group.push(id);
  }
  return [...groups.values()].filter((ids) => ids.length > 1);
}

function oldestFirst(one: StoredEntity, other: StoredEntity): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Learnt } from "../../agent/memory/types.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { all, inScopes, isOneOf } from "../store/sql.ts";
import { embedNames, namesAlike } from "./entity-vectors.ts";
import { deleteIds, hasKey, select, touches, upsert, type GraphStore } from "./graph-store.ts";
import { ForgottenTurns } from "../facts/forgotten-turns.ts";
import { planEdges, toldOf, type EdgeContext } from "./plan-edges.ts";
import { candidateKeys, candidatesOf, planEntities, type EntityPlan } from "./plan-entities.ts";
import { concerned, foldEdges, movedEdges } from "./merge-edges.ts";
import { CONTAINS, EXCLUSIVE } from "./relations.ts";
import { EDGE_COLUMNS, ENTITY_COLUMNS, edgeRow, entityRow, readEdges, readEntities } from "./tables.ts";

/** Most rows that one turn's names and relations are compared with. */
const MAX_KNOWN = 100_000;
/** Most names of one turn. */
const MAX_CANDIDATES = 100;

/** What became of a turn's entities and relations. */
export interface GraphLearned {
  /** New or changed. */
  readonly entities: number;
  readonly edges: number;
}

/**
 * Stores who and what a turn named and how they belong together. All of it is read and written under the lock of the
 * entities, so that two windows that hear of one person at once make one row of it.
 */
export async function learnGraph(
  store: GraphStore,
  deps: KnowledgeDeps,
  learnt: Learnt,
  signal: AbortSignal,
): Promise<Result<GraphLearned>> {
  const candidates = candidatesOf(learnt).slice(0, MAX_CANDIDATES);
  if (candidates.length === 0) return success({ entities: 0, edges: 0 });
  const alike = await namesAlike(store, deps, candidates, learnt.scope, signal);
  const done = await store.entities.change(async (table) => {
    // Asked under the lock: whoever forgets a turn notes it first and takes the rows after.
    const forgotten = await new ForgottenTurns(deps.database).among([learnt.source.turnId], signal);
    if (!forgotten.ok) return forgotten;
    if (forgotten.value.size > 0) return success(undefined);
    const where = all(hasKey(candidateKeys(candidates)), inScopes([learnt.scope, ""]));
    const near = isOneOf("id", [...alike.values()]);
    const filter = `(${where ?? "true"}) OR ${near}`;
    const known = readEntities(await select(table, ENTITY_COLUMNS, { where: filter, limit: MAX_KNOWN }));
    const plan = planEntities(known, candidates, {
      ...{ learnt, alike },
      now: deps.now(),
      newId: deps.newId,
    });
    const context: EdgeContext = { learnt, byKey: plan.byKey, now: deps.now(), newId: deps.newId };
    const told = toldOf(context);
    const ends = new Set(told.flatMap(({ from, to }) => [from.id, to.id]));
    const changed = plan.changed.filter(({ id }) => ends.has(id) || !plan.loose.has(id));
    await upsert(table, changed.map(entityRow));
    const edges = await learnEdges(store, plan, told, context, signal);
    return success({ plan, changed, edges });
  }, signal);
  if (!done.ok) return done;
  if (!done.value.ok) return done.value;
  if (done.value.value === undefined) return success({ entities: 0, edges: 0 });
  const { plan, changed, edges } = done.value.value;
  if (!edges.ok) return edges;
  const gone = await dropMerged(store, deps, plan, signal);
  if (!gone.ok) return gone;
  await embedNames(store, deps, changed, signal);
  return success({ entities: changed.length, edges: edges.value });
}

/** Plans and writes the relations, those of merged entities too. */
async function learnEdges(
  store: GraphStore,
  plan: EntityPlan,
  told: ReturnType<typeof toldOf>,
  context: EdgeContext,
  signal: AbortSignal,
): Promise<Result<number>> {
  const replaced = new Map([...plan.merged, ...plan.renamed]);
  if (told.length === 0 && replaced.size === 0) return success(0);
  const ends = [...new Set(told.flatMap(({ from, to }) => [from.id, to.id]))];
  return store.edges.change(async (table) => {
    const where = `${related(ends)} OR ${touches(concerned(replaced))}`;
    const read = readEdges(await select(table, EDGE_COLUMNS, { where, limit: MAX_KNOWN }));
    const moved = movedEdges(read, replaced);
    const { kept, dropped } = foldEdges(moved);
    const planned = planEdges(kept, told, context);
    const before = new Map(read.map((edge) => [edge.id, edge]));
    const after = new Map([...kept, ...planned].map((edge) => [edge.id, edge]));
    const changed = [...after.values()].filter((edge) => before.get(edge.id) !== edge);
    await upsert(table, changed.map(edgeRow));
    await deleteIds(table, dropped);
    return planned.length;
  }, signal);
}

/** The relations that those of a turn are compared with: of the same ends, their exclusive ones, and what lies in what. */
function related(ends: readonly string[]): string {
  const from = isOneOf("from_id", ends);
  const to = isOneOf("to_id", ends);
  const exclusive = isOneOf("type", [...EXCLUSIVE, ...CONTAINS]);
  return `(${from} AND ${to}) OR ((${from} OR ${to}) AND ${exclusive})`;
}

/**
 * Rows that another one took the place of go last: killed before that, the next turn that names them merges them. With
 * them go the embeddings of names that are no longer the name.
 */
async function dropMerged(
  store: GraphStore,
  deps: KnowledgeDeps,
  plan: EntityPlan,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const ids = [...plan.merged.keys()];
  const stale = [...ids, ...plan.renamed.keys()];
  if (stale.length === 0) return success(undefined);
  const gone = await store.entities.change((table) => deleteIds(table, ids), signal);
  return gone.ok ? deps.vectors.wipe(stale, signal) : gone;
}

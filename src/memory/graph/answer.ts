import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import { graphLines } from "../../agent/memory/text.ts";
import type { GraphAnswer, GraphLine, GraphQuery } from "../../agent/memory/types.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { all, inScopes, literal } from "../store/sql.ts";
import { meantBy } from "./entity-vectors.ts";
import { hasKey, touches, type GraphStore } from "./graph-store.ts";
import { nameKey } from "./names.ts";
import { keysOf, publicEdge, type StoredEdge, type StoredEntity } from "./tables.ts";

/** Lines that are given when the asker sets no limit. */
const LINES = 20;
const MAX_LINES = 200;
/** Names in one question. */
const MAX_NAMES = 50;
/** Entities that one name may stand for. */
const MAX_MEANT = 50;
/** Relations that are looked at on each hop. */
const MAX_EDGES = 1_000;
/** Entities that the second hop starts from. */
const MAX_BETWEEN = 200;
/** In so many milliseconds a relation's recency counts half. */
const HALF_LIFE_MS = 30 * 24 * 60 * 60 * 1_000;

/** What the graph says within two hops of people and places; names that it does not know are told. */
export async function answerGraph(
  store: GraphStore,
  deps: KnowledgeDeps,
  query: GraphQuery,
  signal: AbortSignal,
): Promise<Result<GraphAnswer>> {
  const asked = namesOf(query);
  const meant = await resolveNames(store, deps, asked, query.scopes, signal);
  if (!meant.ok) return meant;
  const unknown = asked.filter((name) => (meant.value.get(name) ?? []).length === 0);
  const starts = [...new Set([...meant.value.values()].flat().map(({ id }) => id))];
  const hops = await twoHops(store, starts, query.scopes, signal);
  if (!hops.ok) return hops;
  const limit = Math.min(query.limit ?? LINES, MAX_LINES);
  const best = ranked(hops.value, deps.now()).slice(0, limit);
  const texts = graphLines(
    best.map(({ edge }) => ({ relationship: edge })),
    deps.now(),
  );
  const lines = best.map(({ edge, hops: steps }, index): GraphLine => ({
    relationship: publicEdge(edge),
    hops: steps,
    text: texts[index] ?? "",
  }));
  return success({ lines, unknown });
}

/** Who each name stands for: of that name, else with it as a part of the name, else of the same meaning. */
export async function resolveNames(
  store: GraphStore,
  deps: KnowledgeDeps,
  names: readonly string[],
  scopes: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Result<ReadonlyMap<string, readonly StoredEntity[]>>> {
  const found = new Map<string, readonly StoredEntity[]>();
  const keys = names.map(nameKey);
  const where = all(hasKey([...new Set(keys)]), inScopes(scopes));
  const exact = await store.readEntities({ where, limit: MAX_EDGES }, signal);
  if (!exact.ok) return exact;
  names.forEach((name, index) => {
    found.set(
      name,
      exact.value.filter((entity) => keysOf(entity).includes(keys[index] ?? "")).slice(0, MAX_MEANT),
    );
  });
  for (const name of names.filter((each) => found.get(each)?.length === 0)) {
    const part = await partlyNamed(store, nameKey(name), scopes, signal);
    if (!part.ok) return part;
    found.set(name, part.value);
  }
  const open = names.filter((name) => found.get(name)?.length === 0);
  const near = await meantBy(store, deps, open, scopes, signal);
  open.forEach((name, index) => found.set(name, near[index] ?? []));
  return success(found);
}

/** "Anna" stands for "Anna Berg", whole words only. */
async function partlyNamed(
  store: GraphStore,
  key: string,
  scopes: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Result<readonly StoredEntity[]>> {
  const words = key.split(" ");
  const holds = words.map((word) => `contains(keys, ${literal(word)})`);
  const read = await store.readEntities({ where: all(...holds, inScopes(scopes)), limit: MAX_EDGES }, signal);
  if (!read.ok) return read;
  const matching = read.value.filter((entity) =>
    keysOf(entity).some((own) => {
      const parts = own.split(" ");
      return words.every((word) => parts.includes(word));
    }),
  );
  return success(matching.slice(0, MAX_MEANT));
}

interface Reached {
  readonly edge: StoredEdge;
  readonly hops: 1 | 2;
}

async function twoHops(
  store: GraphStore,
  starts: readonly string[],
  scopes: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Result<readonly Reached[]>> {
  if (starts.length === 0) return success([]);
  const first = await latestEdges(store, starts, scopes, signal);
  if (!first.ok) return first;
  const near = new Set(starts);
  const between = [...new Set(first.value.flatMap(({ fromId, toId }) => [fromId, toId]))].filter(
    (id) => !near.has(id),
  );
  const second = await latestEdges(store, between.slice(0, MAX_BETWEEN), scopes, signal);
  if (!second.ok) return second;
  const seen = new Set(first.value.map(({ id }) => id));
  const further = second.value.filter(({ id }) => !seen.has(id));
  return success([
    ...first.value.map((edge) => ({ edge, hops: 1 as const })),
    ...further.map((edge) => ({ edge, hops: 2 as const })),
  ]);
}

function latestEdges(
  store: GraphStore,
  ids: readonly string[],
  scopes: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Result<readonly StoredEdge[]>> {
  if (ids.length === 0) return Promise.resolve(success([]));
  return store.readEdges(
    {
      where: all(touches(ids), inScopes(scopes)),
      order: [{ columnName: "updated_at", ascending: false }],
      limit: MAX_EDGES,
    },
    signal,
  );
}

/**
 * Near ones first, of them those that hold before those that are past, then the recent and strong. Age counts from the
 * latest of them: the same store gives the same order.
 */
function ranked(reached: readonly Reached[], now: number): Reached[] {
  const latest = Math.max(...reached.map(({ edge }) => edge.updatedAt));
  const worth = ({ strength, updatedAt }: StoredEdge): number =>
    strength + 2 ** ((updatedAt - latest) / HALF_LIFE_MS);
  const isPast = ({ validTo }: StoredEdge): number => (validTo !== null && validTo <= now ? 1 : 0);
  return [...reached].sort(
    (one, other) =>
      one.hops - other.hops ||
      isPast(one.edge) - isPast(other.edge) ||
      worth(other.edge) - worth(one.edge) ||
      (one.edge.id < other.edge.id ? -1 : 1),
  );
}

/** The names that are asked for, each once, as they were written. */
function namesOf({ people, locations }: GraphQuery): string[] {
  const byKey = new Map<string, string>();
  for (const name of [...people, ...locations]) {
    const key = nameKey(name);
    if (key !== "" && !byKey.has(key)) byKey.set(key, name.trim());
  }
  return [...byKey.values()].slice(0, MAX_NAMES);
}

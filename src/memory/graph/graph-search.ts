import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Relationship } from "../../agent/memory/types.ts";
import { USER } from "../../agent/memory/types.ts";
import { contentWords } from "../retrieval/words.ts";
import { all, inScopes, isOneOf, literal } from "../store/sql.ts";
import { hasKey, touches, type GraphStore } from "./graph-store.ts";
import { nameKey, nameWords } from "./names.ts";
import { currentAt } from "./pages.ts";
import { scaledText } from "./scale.ts";
import { EDGE_COLUMNS, keysOf, publicEdge, readEdges, type StoredEdge } from "./tables.ts";

/** What a search of the graph may look at. */
export interface GraphSearchOptions {
  readonly limit: number;
  readonly scopes?: readonly string[] | undefined;
}

/** A relation that a search found. */
export interface RelationHit {
  readonly relationship: Relationship;
  /** 0..1. */
  readonly score: number;
}

const MAX_QUERY_WORDS = 64;
/** The longest name, in words, that is looked for in a question. */
const MAX_NAME_WORDS = 4;
const MAX_NAMED = 200;
const MAX_EDGES = 500;
/** What a relation is worth of which one end, or both ends, are named in the question. */
const ONE_END = 0.5;
const BOTH_ENDS = 0.8;

/** Relations that a text asks for: their ends are named in it, or their sentence has its words. */
export async function searchGraph(
  store: GraphStore,
  query: string,
  { limit, scopes }: GraphSearchOptions,
  signal: AbortSignal,
): Promise<Result<readonly RelationHit[]>> {
  const scoped = inScopes(scopes);
  const words = contentWords(query);
  const matched = await store.edges.matching(
    words,
    { limit: MAX_EDGES, columns: EDGE_COLUMNS, where: scoped },
    signal,
  );
  if (!matched.ok) return matched;
  const named = await namedEdges(store, query, { scoped }, signal);
  if (!named.ok) return named;
  const scores = new Map<string, { edge: StoredEdge; score: number }>();
  for (const { edge, score } of named.value) scores.set(edge.id, { edge, score });
  readEdges(matched.value).forEach((edge) => {
    const bm25 = matched.value.find(({ id }) => id === edge.id)?._score;
    const own = typeof bm25 === "number" ? scaledText(bm25) : 0;
    const before = scores.get(edge.id)?.score ?? 0;
    scores.set(edge.id, { edge, score: Math.min(1, Math.max(own, before) + 0.25 * Math.min(own, before)) });
  });
  const best = [...scores.values()].sort((a, b) => b.score - a.score || byStrength(a.edge, b.edge));
  return success(best.slice(0, limit).map(({ edge, score }) => ({ relationship: publicEdge(edge), score })));
}

async function namedEdges(
  store: GraphStore,
  query: string,
  { scoped, owner }: { readonly scoped: string | undefined; readonly owner?: string },
  signal: AbortSignal,
): Promise<Result<readonly { edge: StoredEdge; score: number }[]>> {
  const keys = namesOf(query);
  const found = await store.readEntities({ where: all(hasKey(keys), scoped), limit: MAX_NAMED }, signal);
  if (!found.ok) return found;
  const ids = new Set(
    found.value.filter((one) => keysOf(one).some((key) => keys.includes(key))).map(({ id }) => id),
  );
  if (ids.size === 0) return success([]);
  const order = [{ columnName: "updated_at", ascending: false }];
  const edges = await store.readEdges(
    { where: all(touches([...ids]), scoped, owner), limit: MAX_EDGES, order },
    signal,
  );
  if (!edges.ok) return edges;
  return success(
    edges.value.map((edge) => ({
      edge,
      score: ids.has(edge.fromId) && ids.has(edge.toId) ? BOTH_ENDS : ONE_END,
    })),
  );
}

/** Everything in a text that may be a name: its words alone and up to four that follow each other. */
function namesOf(query: string): string[] {
  const words = nameWords(query.slice(0, 2_000)).slice(0, MAX_QUERY_WORDS);
  const content = new Set(contentWords(query).flatMap(nameWords));
  const names = new Set<string>();
  words.forEach((_, start) => {
    for (let length = 1; length <= MAX_NAME_WORDS && start + length <= words.length; length += 1) {
      const run = words.slice(start, start + length);
      if (run.some((word) => content.has(word))) names.add(nameKey(run.join(" ")));
    }
  });
  names.delete("");
  names.delete(USER);
  return [...names];
}

/**
 * The relationships of an agent for its card, at most two: its own to the user and to other personas, else those of
 * the user with whom the question names. Those the question names first, then the strongest, then the latest.
 */
export async function relationshipsOf(
  store: GraphStore,
  agent: string,
  question: string,
  options: { readonly scopes: readonly string[] | undefined; readonly now: number },
  signal: AbortSignal,
): Promise<Result<readonly Relationship[]>> {
  const scoped = inScopes(options.scopes);
  const key = nameKey(agent);
  const own = await store.readEdges(
    {
      where: all(
        isOneOf("owner", [agent]),
        `(from_key = ${literal(key)} OR to_key = ${literal(key)})`,
        currentAt(options.now),
        scoped,
      ),
      limit: MAX_EDGES,
      order: [{ columnName: "strength", ascending: false }],
    },
    signal,
  );
  if (!own.ok) return own;
  const owner = isOneOf("owner", [USER]);
  const named = await namedEdges(store, question, { scoped, owner }, signal);
  if (!named.ok) return named;
  const asked = namesOf(question);
  const isAsked = ({ from, to }: StoredEdge): number =>
    [from, to].some((end) => nameKey(end) !== key && asked.includes(nameKey(end))) ? 1 : 0;
  const best = (edges: readonly StoredEdge[]): StoredEdge[] =>
    [...edges].sort((one, other) => isAsked(other) - isAsked(one) || byStrength(one, other));
  const holding = named.value
    .map(({ edge }) => edge)
    .filter(({ validFrom, validTo }) => validFrom <= options.now && (validTo ?? Infinity) > options.now);
  const current = own.value.filter(({ validFrom }) => validFrom <= options.now);
  return success([...best(current), ...best(holding)].slice(0, 2).map(publicEdge));
}

function byStrength(one: StoredEdge, other: StoredEdge): number {
  return other.strength - one.strength || other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : 1);
}

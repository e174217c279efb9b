import type { EmbeddingSource, SourceRow } from "../embed/embedding-source.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { inScopes, isOneOf } from "../store/sql.ts";
import { presentIds } from "../store/present.ts";
import { success } from "../../agent/failure.ts";
import { embeddingRows } from "./embedding-rows.ts";
import type { GraphStore } from "./graph-store.ts";
import { hasKey } from "./graph-store.ts";
import { nameWords, sameSpelling } from "./names.ts";
import type { Candidate } from "./plan-entities.ts";
import { ENTITY_COLUMNS, readEntities, type StoredEntity } from "./tables.ts";

/** Two names whose meanings are this near may be one; the spelling decides. */
const ONE_THING = 0.85;
/** A name that was asked for and is not known stands for the one whose meaning is this near. */
const MEANT = 0.7;
const NEAREST = 5;

/**
 * Known things that a new name may be another spelling of, by the name's key. People are left out: their names are
 * only one when they are written as one.
 */
export async function namesAlike(
  store: GraphStore,
  deps: KnowledgeDeps,
  candidates: readonly Candidate[],
  scope: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const alike = new Map<string, string>();
  const things = candidates.filter(({ type }) => type !== "person");
  const known = await store.readEntities(
    { where: hasKey(things.map(({ key }) => key)), limit: 1_000 },
    signal,
  );
  const names = known.ok ? new Set(known.value.flatMap((entity) => entity.name)) : new Set<string>();
  const asked = things.filter(({ name }) => !names.has(name));
  const near = await nearestTo(
    store,
    deps,
    asked.map(({ name }) => name),
    inScopes([scope]),
    ONE_THING,
    signal,
  );
  asked.forEach(({ key, name }, index) => {
    const match = near[index]?.find(
      (entity) =>
        entity.type !== "person" && [entity.name, ...entity.aliases].some((own) => sameSpelling(own, name)),
    );
    if (match !== undefined) alike.set(key, match.id);
  });
  return alike;
}

/** For each name that is not known, the entities whose names mean the same; for people they share a word with it. */
export async function meantBy(
  store: GraphStore,
  deps: KnowledgeDeps,
  names: readonly string[],
  scopes: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly (readonly StoredEntity[])[]> {
  const near = await nearestTo(store, deps, names, inScopes(scopes), MEANT, signal);
  return names.map((name, index) => {
    const words = new Set(nameWords(name));
    return (near[index] ?? []).filter(
      (entity) =>
        entity.type !== "person" ||
        [entity.name, ...entity.aliases].some((own) => nameWords(own).some((word) => words.has(word))),
    );
  });
}

/** Embeds the names of new or renamed entities; without an embedder they are found by their names alone. */
export async function embedNames(
  store: GraphStore,
  deps: KnowledgeDeps,
  entities: readonly StoredEntity[],
  signal: AbortSignal,
): Promise<void> {
  const embedder = deps.embedder();
  if (embedder === undefined || entities.length === 0) return;
  const ids = entities.map(({ id }) => id);
  const missing = await deps.vectors.missing(embedder.model, "entity", ids, signal);
  if (!missing.ok) return;
  const fresh = entities.filter(({ id }) => missing.value.includes(id));
  if (fresh.length === 0) return;
  const embedded = await embedder.embed(
    fresh.map(({ name }) => name),
    "document",
    signal,
  );
  if (!embedded.ok) return;
  const rows = fresh.flatMap((entity, index) => {
    const embedding = embedded.value[index];
    if (embedding === undefined) return [];
    return [{ ...placeOf(entity), kind: "entity" as const, embedding }];
  });
  await deps.vectors.put(embedder.model, rows, signal, (wanted) =>
    store.entities.read(new Set<string>(), (table) => presentIds(table, wanted), signal),
  );
}

/** The names of all entities, to be embedded in the background. */
export function entityEmbeddingSource(store: GraphStore): EmbeddingSource {
  return embeddingRows({
    table: store.entities,
    kind: "entity",
    columns: ENTITY_COLUMNS,
    read: readEntities,
    place: placeOf,
    text: ({ name }) => name,
  });
}

function placeOf({ id, scope, updatedAt }: StoredEntity): SourceRow {
  return { id, scope, time: updatedAt, sessionId: "", turnId: "" };
}

async function nearestTo(
  store: GraphStore,
  deps: KnowledgeDeps,
  names: readonly string[],
  where: string | undefined,
  threshold: number,
  signal: AbortSignal,
): Promise<readonly (readonly StoredEntity[])[]> {
  const embedder = deps.embedder();
  if (embedder === undefined || names.length === 0) return [];
  const embedded = await embedder.embed(names, "document", signal);
  if (!embedded.ok) return [];
  const found = await Promise.all(
    embedded.value.map((embedding) =>
      deps.vectors.near(embedder.model, "entity", embedding, { limit: NEAREST, where }, signal),
    ),
  );
  const ids = found.map((near) =>
    near.ok ? near.value.filter(({ similarity }) => similarity >= threshold).map(({ id }) => id) : [],
  );
  const wanted = [...new Set(ids.flat())];
  const read =
    wanted.length === 0
      ? success([])
      : await store.readEntities({ where: isOneOf("id", wanted), limit: wanted.length }, signal);
  const byId = new Map(read.ok ? read.value.map((entity) => [entity.id, entity]) : []);
  return ids.map((own) => own.flatMap((id) => byId.get(id) ?? []));
}

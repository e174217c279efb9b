import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import type { MemoryEdit } from "../../agent/memory/types.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { all, isOneOf, validIds } from "../store/sql.ts";
import { embedNames } from "./entity-vectors.ts";
import { deleteIds, hasKey, select, upsert, type GraphStore } from "./graph-store.ts";
import { moveEdges } from "./merge-edges.ts";
import { cleanName, nameKey } from "./names.ts";
import { distinct, mergeEntities } from "./plan-entities.ts";
import { relationType } from "./relations.ts";
import { withName } from "./rename.ts";
import {
  EDGE_COLUMNS,
  ENTITY_COLUMNS,
  edgeRow,
  entityRow,
  keysOf,
  readEdges,
  readEntities,
  type StoredEdge,
  type StoredEntity,
} from "./tables.ts";
import { taughtStill } from "./taught.ts";

type PeopleEdit = Extract<MemoryEdit, { table: "people" }>;
type RelationEdit = Extract<MemoryEdit, { table: "relationships" }>;
type Changed = Result<{ readonly changed: boolean }>;

const MAX_ROWS = 100_000;
const MAX_SENTENCE = 500;

/** The user's change of a person, place, project or thing. Its old name stays another name; who bears the new one is merged with it. */
export async function editPerson(
  store: GraphStore,
  deps: KnowledgeDeps,
  edit: PeopleEdit,
  signal: AbortSignal,
): Promise<Changed> {
  const name = edit.name === undefined ? undefined : cleanName(edit.name);
  if (name === "") return failed("bad_input", "This can't be a name: it needs a letter or a digit.");
  const done = await store.entities.change(async (table) => {
    const entity = await byId(table, edit.id);
    if (entity === undefined) return undefined;
    const edited = withEdit(entity, { ...edit, ...(name !== undefined && { name }) }, deps.now());
    const others = await sameNamed(table, edited);
    const merged = others.reduce(mergeEntities, edited);
    await upsert(table, [entityRow(merged)]);
    const replaced = new Map([entity, ...others].map(({ id }) => [id, merged]));
    const isMoved = others.length > 0 || merged.name !== entity.name;
    const mend = (edge: StoredEdge): StoredEdge => withName(edge, entity.name, merged.name);
    const edges = isMoved ? await moveEdges(store, replaced, mend, signal) : success(undefined);
    if (edges.ok) {
      await deleteIds(
        table,
        others.map(({ id }) => id),
      );
    }
    return { merged, edges, gone: others.map(({ id }) => id), isRenamed: merged.name !== entity.name };
  }, signal);
  if (!done.ok) return done;
  if (done.value === undefined) return success({ changed: false });
  if (!done.value.edges.ok) return done.value.edges;
  const { merged, gone, isRenamed } = done.value;
  const stale = [...gone, ...(isRenamed ? [merged.id] : [])];
  const wiped = stale.length === 0 ? success(0) : await deps.vectors.wipe(stale, signal);
  if (!wiped.ok) return wiped;
  await embedNames(store, deps, [merged], signal);
  return success({ changed: true });
}

/** The user's change of a relation. */
export async function editRelation(
  store: GraphStore,
  deps: KnowledgeDeps,
  edit: RelationEdit,
  signal: AbortSignal,
): Promise<Changed> {
  const type = edit.type === undefined ? undefined : relationType(edit.type);
  if (type === "") return failed("bad_input", "The kind of a relation needs a letter or a digit.");
  const text = edit.text?.toWellFormed().trim();
  if (text !== undefined && text.length > MAX_SENTENCE)
    return failed("bad_input", `It is too long: a relation is told in at most ${MAX_SENTENCE} characters.`);
  return store.edges.change(async (table) => {
    const where = isOneOf("id", validIds([edit.id]));
    const edge = readEdges(await select(table, EDGE_COLUMNS, { where, limit: 1 }))[0];
    if (edge === undefined) return { changed: false };
    const now = deps.now();
    const holds = edge.validTo === null || edge.validTo > now;
    const changed: StoredEdge = {
      ...edge,
      ...(type !== undefined && { type }),
      ...(text !== undefined && { text }),
      ...(edit.strength !== undefined && { strength: Math.min(1, Math.max(0, edit.strength)) }),
      ...(edit.holds === false && holds && { validTo: Math.max(now, edge.validFrom) }),
      ...(edit.holds === true && !holds && { validTo: null }),
      updatedAt: Math.max(now, edge.updatedAt),
    };
    await upsert(table, [edgeRow(changed)]);
    return { changed: true };
  }, signal);
}

function withEdit(entity: StoredEntity, edit: PeopleEdit, now: number): StoredEntity {
  const name = edit.name ?? entity.name;
  const aliases = edit.aliases?.map(cleanName).filter((alias) => alias !== "") ?? entity.aliases;
  const edited: StoredEntity = {
    ...entity,
    name,
    aliases: distinct(name === entity.name ? aliases : [entity.name, ...aliases], name),
    type: edit.type ?? entity.type,
    pinned: edit.pinned ?? entity.pinned,
    updatedAt: Math.max(now, entity.updatedAt),
  };
  return { ...edited, taught: taughtStill(edited, edit) };
}

async function byId(table: Table, id: string): Promise<StoredEntity | undefined> {
  const where = isOneOf("id", validIds([id]));
  return readEntities(await select(table, ENTITY_COLUMNS, { where, limit: 1 }))[0];
}

/** Others of the scope that are called what this one is called now. */
async function sameNamed(table: Table, edited: StoredEntity): Promise<StoredEntity[]> {
  const keys = keysOf(edited);
  const where = all(hasKey(keys), isOneOf("scope", [edited.scope]));
  const read = readEntities(await select(table, ENTITY_COLUMNS, { where, limit: MAX_ROWS }));
  return read.filter(({ id, name }) => id !== edited.id && keys.includes(nameKey(name)));
}

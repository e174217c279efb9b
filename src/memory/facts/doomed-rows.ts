import type { Table } from "@lancedb/lancedb";
import type { Moment, Resource } from "../../agent/memory/types.ts";
import {
  EDGE_COLUMNS,
  ENTITY_COLUMNS,
  RESOURCE_COLUMNS,
  readEdges,
  readEntities,
  readResources,
  type StoredEdge,
  type StoredEntity,
} from "../graph/tables.ts";
import { movedEdges } from "../graph/merge-edges.ts";
import { withName } from "../graph/rename.ts";
import { reopenedEdges } from "../graph/reopen.ts";
import { MOMENT_COLUMNS, readMoments } from "../moments/table.ts";
import type { Row } from "../store/spec.ts";
import { isOneOf, literal } from "../store/sql.ts";
import type { Doom, Parted } from "./doom.ts";
import { partEdges, partEntities, partFacts } from "./doom.ts";
import type { Interest } from "./interests.ts";
import { readInterests, unmoved } from "./interests.ts";
import { reopenedFacts } from "./reopen.ts";
import { eachRow, filtersFor, pickOpen, textOf, textsIn } from "./scan.ts";
import type { StoredFact } from "./table.ts";
import { FACT_COLUMNS, readFacts } from "./table.ts";

/** All functions here read an open table, so that they can be called under its lock, and reject as the library does. */

/** The facts that are touched, and what becomes of them. */
export async function doomedFacts(table: Table, doom: Doom): Promise<Parted<StoredFact>> {
  const maybe = mayBeTouched(doom, ["sources"], [["id", doom.rows.facts]], true);
  const ids = await pickOpen(table, ["id", "turn_id", "sources"], maybe, (row) =>
    doom.rows.facts.has(textOf(row, "id")) || mentionsTurn(row, "sources", doom)
      ? textOf(row, "id")
      : undefined,
  );
  const touched = readFacts(await byId(table, ids, FACT_COLUMNS));
  const parted = partFacts(touched, doom);
  return withKept(parted, await reopenedFacts(table, touched, parted, doom));
}

/** What is parted with more rows that stay; of one that is there already they take the place. */
function withKept<T extends { readonly id: string }>(
  { gone, kept }: Parted<T>,
  more: readonly T[],
): Parted<T> {
  return { gone, kept: [...new Map([...kept, ...more].map((row) => [row.id, row])).values()] };
}

/** The relations that are touched, and what becomes of them. */
export async function doomedEdges(
  table: Table,
  doom: Doom,
  sessionOf: (turnIds: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<Parted<StoredEdge>> {
  const { people, relationships } = doom.rows;
  const columns = ["id", "from_id", "to_id", "turn_id", "turns", "told"];
  const named: [string, ReadonlySet<string>][] = [
    ["id", relationships],
    ["from_id", people],
    ["to_id", people],
  ];
  const maybe = mayBeTouched(doom, ["turns", "told"], named, true);
  const ids = await pickOpen(table, columns, maybe, (row) => {
    const isNamed = relationships.has(textOf(row, "id"));
    const ends = people.has(textOf(row, "from_id")) || people.has(textOf(row, "to_id"));
    const isTold = mentionsTurn(row, "turns", doom) || mentionsTurn(row, "told", doom);
    return isNamed || ends || isTold ? textOf(row, "id") : undefined;
  });
  const edges = readEdges(await byId(table, ids, EDGE_COLUMNS));
  const sessions = await sessionOf(
    edges.flatMap(({ turns }) => turns.filter((turn) => !doom.turns.has(turn))),
  );
  const parted = partEdges(edges, doom, (turnId) => sessions.get(turnId) ?? "");
  return withKept(parted, await reopenedEdges(table, edges, parted, doom));
}

/** The relations of entities that have another name now, those that are parted among them. */
export async function renamedEdges(
  table: Table,
  { gone, kept }: Parted<StoredEdge>,
  renamed: PartedEntities["renamed"],
): Promise<Parted<StoredEdge>> {
  if (renamed.size === 0) return { gone, kept };
  const ids = [...renamed.keys()];
  const filters = [...filtersFor("from_id", ids), ...filtersFor("to_id", ids)];
  const touched = readEdges((await Promise.all(filters.map((where) => whole(table, where)))).flat());
  const isGone = new Set(gone.map(({ id }) => id));
  const all = new Map([...touched, ...kept].map((edge) => [edge.id, edge]));
  const names = new Map([...renamed].map(([id, { entity }]) => [id, entity]));
  const moved = movedEdges(
    [...all.values()].filter(({ id }) => !isGone.has(id)),
    names,
  ).map((edge) =>
    [edge.fromId, edge.toId].reduce((mended, id) => {
      const name = renamed.get(id);
      return name === undefined ? mended : withName(mended, name.before, name.entity.name);
    }, edge),
  );
  return { gone, kept: moved };
}

function whole(table: Table, where: string): Promise<Row[]> {
  return table.query().where(where).select(EDGE_COLUMNS).toArray() as Promise<Row[]>;
}

/** The ids at the ends of all relations but these. */
export async function heldEntities(table: Table, gone: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  await eachRow(table, ["id", "from_id", "to_id"], undefined, (row) => {
    if (gone.has(textOf(row, "id"))) return;
    held.add(textOf(row, "from_id"));
    held.add(textOf(row, "to_id"));
  });
  return held;
}

/** Entities, and those of them that stay under another name: the name they had, by id. */
export interface PartedEntities extends Parted<StoredEntity> {
  readonly renamed: ReadonlyMap<string, { readonly before: string; readonly entity: StoredEntity }>;
}

/** The entities that are touched, by themselves or by relations that go, and what becomes of them. */
export async function doomedEntities(
  table: Table,
  doom: Doom,
  goneEdges: readonly StoredEdge[],
  held: ReadonlySet<string>,
): Promise<PartedEntities> {
  const ends = new Set(goneEdges.flatMap(({ fromId, toId }) => [fromId, toId]));
  const named: [string, ReadonlySet<string>][] = [
    ["id", doom.rows.people],
    ["id", ends],
  ];
  const maybe = mayBeTouched(doom, ["turns", "taught"], named, false);
  const ids = await pickOpen(table, ["id", "turns", "taught"], maybe, (row) => {
    const id = textOf(row, "id");
    const isTold = mentionsTurn(row, "turns", doom) || mentionsTurn(row, "taught", doom);
    return doom.rows.people.has(id) || ends.has(id) || isTold ? id : undefined;
  });
  const all = readEntities(await byId(table, ids, ENTITY_COLUMNS));
  const parted = partEntities(all, doom, held);
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const renamed = parted.kept.flatMap((entity) => {
    const before = names.get(entity.id) ?? entity.name;
    return before === entity.name ? [] : [[entity.id, { before, entity }] as const];
  });
  return { ...parted, renamed: new Map(renamed) };
}

/**
 * The pages and files of doomed turns. One that another turn used stays and becomes that turn's; `usersOf` gives for
 * each uri a turn that stays.
 */
export async function doomedResources(
  table: Table,
  doom: Doom,
  usersOf: (uris: readonly string[]) => Promise<ReadonlyMap<string, { turnId: string; sessionId: string }>>,
): Promise<Parted<Resource>> {
  const ids = await pickOpen(table, ["id", "turn_id"], undefined, (row) =>
    doom.rows.resources.has(textOf(row, "id")) || doom.turns.has(textOf(row, "turn_id"))
      ? textOf(row, "id")
      : undefined,
  );
  const all = readResources(await byId(table, ids, RESOURCE_COLUMNS));
  const free = all.filter(({ id }) => !doom.rows.resources.has(id));
  const users = await usersOf(free.map(({ uri }) => uri));
  const kept = free.flatMap((resource) => {
    const user = users.get(resource.uri);
    return user === undefined ? [] : [{ ...resource, ...user }];
  });
  const staying = new Set(kept.map(({ id }) => id));
  return { gone: all.filter(({ id }) => !staying.has(id)), kept };
}

/** The moments that go: those that a doomed turn tells of, or in which one was kept. */
export async function doomedMoments(table: Table, doom: Doom): Promise<Parted<Moment>> {
  const maybe = mayBeTouched(doom, ["turns"], [["id", doom.rows.moments]], true);
  const ids = await pickOpen(table, ["id", "turn_id", "turns"], maybe, (row) =>
    doom.rows.moments.has(textOf(row, "id")) || mentionsTurn(row, "turns", doom)
      ? textOf(row, "id")
      : undefined,
  );
  return { gone: readMoments(await byId(table, ids, MOMENT_COLUMNS)), kept: [] };
}

/** The interests that are touched, and what becomes of them. */
export async function doomedInterests(table: Table, doom: Doom): Promise<Parted<Interest>> {
  const rows = await pickOpen<Row>(
    table,
    ["id", "agent", "name", "score", "older", "sources", "updated_at"],
    undefined,
    (row) =>
      doom.rows.interests.has(textOf(row, "id")) || mentionsTurn(row, "sources", doom) ? row : undefined,
  );
  const all = readInterests(rows);
  const kept = all
    .filter(({ id }) => !doom.rows.interests.has(id))
    .map((interest) => unmoved(interest, (turnId) => doom.turns.has(turnId)))
    .filter((interest) => interest !== undefined);
  const staying = new Set(kept.map(({ id }) => id));
  return { gone: all.filter(({ id }) => !staying.has(id)), kept };
}

/** So many turns and ids are looked for by the store itself; more of them by going through all rows. */
const FEW_TURNS = 50;
const FEW_IDS = 500;

/** A filter for all rows that may be touched; undefined where going through all rows is quicker. */
function mayBeTouched(
  { turns }: Doom,
  columns: readonly string[],
  named: readonly (readonly [string, ReadonlySet<string>])[],
  hasTurn: boolean,
): string | undefined {
  if (turns.size > FEW_TURNS || named.some(([, ids]) => ids.size > FEW_IDS)) return undefined;
  const ids = [...turns.keys()];
  return [
    ...named.map(([name, values]) => isOneOf(name, [...values])),
    ...(hasTurn ? [isOneOf("turn_id", ids)] : []),
    ...columns.flatMap((column) =>
      ids.map((turnId) => `contains(${column}, ${literal(JSON.stringify(turnId))})`),
    ),
  ].join(" OR ");
}

/** Whether a row's turns, kept as JSON, or its own turn are among the doomed ones. */
function mentionsTurn(row: Row, column: string, { turns }: Doom): boolean {
  if (turns.size === 0) return false;
  return turns.has(textOf(row, "turn_id")) || textsIn(textOf(row, column)).some((text) => turns.has(text));
}

async function byId(table: Table, ids: readonly string[], columns: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const filter of filtersFor("id", ids)) {
    rows.push(
      ...((await table
        .query()
        .where(filter)
        .select([...columns])
        .toArray()) as Row[]),
    );
  }
  return rows;
}

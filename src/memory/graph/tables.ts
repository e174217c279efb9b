import { Field, Float64, Schema, Utf8, Bool } from "apache-arrow";
import { z } from "zod";
import type { Entity, Relationship, Resource } from "../../agent/memory/types.ts";
import { ENTITY_TYPES } from "../../agent/memory/types.ts";
import type { Row, StoredRow, TableSpec } from "../store/spec.ts";
import { wordsApart } from "../store/words-apart.ts";
import { nameKey } from "./names.ts";
import { taughtSchema, type Taught } from "./taught.ts";
import { toldSchema, type Telling } from "./told.ts";

const text = (name: string): Field => new Field(name, new Utf8(), false);
const number = (name: string, nullable = false): Field => new Field(name, new Float64(), nullable);
const later = (name: string): Field => new Field(name, new Utf8(), true);
const flag = (name: string): Field => new Field(name, new Bool(), false);

/**
 * The table of people, places, projects and things. `keys` holds every name of a row, each between bars. Version 2
 * brought what each turn taught.
 */
export const entitiesSpec: TableSpec = {
  name: "entities",
  version: 2,
  schema: () =>
    new Schema([
      ...["id", "name", "key", "keys", "type", "aliases", "scope", "turns", "text"].map(text),
      number("mentions"),
      flag("pinned"),
      number("created_at"),
      number("updated_at"),
      later("taught"),
    ]),
  migrations: [],
};

/**
 * The table of relations. The names of both ends are copied into it, so that it can be read and sorted alone. Version 2
 * brought what each turn told.
 */
export const edgesSpec: TableSpec = {
  name: "edges",
  version: 2,
  schema: () =>
    new Schema([
      ...[
        "id",
        "from_id",
        "to_id",
        "from_name",
        "to_name",
        "from_key",
        "to_key",
        "type",
        "text",
        "owner",
        "scope",
      ].map(text),
      ...["quote", "session_id", "turn_id", "turns"].map(text),
      ...["strength", "valid_from", "source_time", "mentions", "created_at", "updated_at"].map((name) =>
        number(name),
      ),
      number("valid_to", true),
      later("told"),
    ]),
  migrations: [],
  textColumn: "text",
  indexed: { from_id: "btree", to_id: "btree" },
};

/** The table of pages and files. */
export const resourcesSpec: TableSpec = {
  name: "resources",
  version: 1,
  schema: () =>
    new Schema([
      ...["id", "uri", "title", "body", "text", "scope", "session_id", "turn_id"].map(text),
      number("indexed_at"),
    ]),
  migrations: [],
  textColumn: "text",
};

/** The source of a row that many turns told of: the latest so many are kept. */
const MAX_TURNS = 50;

/** An entity with the turns that told of it. */
export interface StoredEntity extends Entity {
  readonly turns: readonly string[];
  /** Its names and its kind, with the turns that said so. */
  readonly taught: readonly Taught[];
}

/** A relation with the turns that told of it and the words it rests on. */
export interface StoredEdge extends Relationship {
  readonly turns: readonly string[];
  /** What each turn told, in the order in which they were heard. */
  readonly told: readonly Telling[];
  readonly quote: string;
  readonly createdAt: number;
}

/** Adds a turn to those that told of a row. */
export function withTurn(turns: readonly string[], ...more: readonly string[]): string[] {
  return [...new Set([...turns, ...more])].filter((turn) => turn !== "").slice(-MAX_TURNS);
}

/** Every name of an entity in the form in which names are compared. */
export function keysOf({ name, aliases }: Pick<Entity, "name" | "aliases">): string[] {
  return [...new Set([name, ...aliases].map(nameKey))].filter((key) => key !== "");
}

/** An entity as a row. */
export function entityRow(entity: StoredEntity): StoredRow {
  const { id, name, type, scope, mentions, pinned } = entity;
  return {
    ...{ id, name, type, scope, mentions, pinned },
    key: nameKey(name),
    keys: `|${keysOf(entity).join("|")}|`,
    aliases: JSON.stringify(entity.aliases),
    turns: JSON.stringify(entity.turns),
    taught: JSON.stringify(entity.taught),
    text: [name, ...entity.aliases].join(" · ").toLowerCase(),
    created_at: entity.createdAt,
    updated_at: entity.updatedAt,
  };
}

/** A relation as a row. */
export function edgeRow(edge: StoredEdge): StoredRow {
  const { id, type, text: sentence, quote, owner, scope, strength, mentions } = edge;
  return {
    ...{ id, type, text: sentence, quote, owner, scope, strength, mentions },
    from_id: edge.fromId,
    to_id: edge.toId,
    from_name: edge.from,
    to_name: edge.to,
    from_key: nameKey(edge.from),
    to_key: nameKey(edge.to),
    session_id: edge.source.sessionId,
    turn_id: edge.source.turnId,
    turns: JSON.stringify(edge.turns),
    told: JSON.stringify(edge.told),
    valid_from: edge.validFrom,
    valid_to: edge.validTo,
    source_time: edge.source.time,
    created_at: edge.createdAt,
    updated_at: edge.updatedAt,
  };
}

/** A page or a file as a row; `text` is what full text is searched in. */
export function resourceRow(resource: Resource): StoredRow {
  const { id, uri, title, scope, sessionId, turnId, indexedAt, text: body } = resource;
  return {
    ...{ id, uri, title, body, scope },
    text: wordsApart(`${title}\n${uri}\n${body}`),
    session_id: sessionId,
    turn_id: turnId,
    indexed_at: indexedAt,
  };
}

const list = z.string().transform((json) => names.parse(JSON.parse(json)));
const names = z.array(z.string());
const count = z.number().transform(Math.trunc);
/** What an older version did not write, or what can't be read, is nothing. */
const written = <T>(schema: z.ZodType<readonly T[]>) =>
  z.unknown().transform((json): readonly T[] => {
    try {
      return typeof json === "string" ? schema.parse(JSON.parse(json)) : [];
    } catch {
      return [];
    }
  });

const entityRowSchema = z
  .object({
    ...{ id: z.string(), name: z.string(), type: z.enum(ENTITY_TYPES), aliases: list, scope: z.string() },
    ...{ turns: list, mentions: count, pinned: z.boolean(), created_at: z.number(), updated_at: z.number() },
    taught: written(taughtSchema),
  })
  .transform(({ created_at: createdAt, updated_at: updatedAt, ...rest }): StoredEntity => ({
    ...rest,
    createdAt,
    updatedAt,
  }));

const edgeRowSchema = z
  .object({
    ...{ id: z.string(), from_id: z.string(), to_id: z.string(), from_name: z.string(), to_name: z.string() },
    ...{ type: z.string(), text: z.string(), quote: z.string(), owner: z.string(), scope: z.string() },
    ...{ session_id: z.string(), turn_id: z.string(), turns: list, strength: z.number(), mentions: count },
    ...{ valid_from: z.number(), valid_to: z.number().nullable(), source_time: z.number() },
    ...{ created_at: z.number(), updated_at: z.number() },
    told: written(toldSchema),
  })
  .transform((row): StoredEdge => {
    const { id, type, text: sentence, quote, owner, scope, strength, mentions, turns, told } = row;
    return {
      ...{ id, type, text: sentence, quote, owner, scope, strength, mentions, turns, told },
      from: row.from_name,
      to: row.to_name,
      fromId: row.from_id,
      toId: row.to_id,
      validFrom: row.valid_from,
      validTo: row.valid_to,
      source: { sessionId: row.session_id, turnId: row.turn_id, time: row.source_time },
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  });

const resourceRowSchema = z
  .object({
    ...{ id: z.string(), uri: z.string(), title: z.string(), body: z.string(), scope: z.string() },
    ...{ session_id: z.string(), turn_id: z.string(), indexed_at: z.number() },
  })
  .transform((row): Resource => {
    const { id, uri, title, body, scope } = row;
    return {
      ...{ id, uri, title, text: body, scope },
      sessionId: row.session_id,
      turnId: row.turn_id,
      indexedAt: row.indexed_at,
    };
  });

/** The columns of an entity. */
export const ENTITY_COLUMNS = Object.keys(entityRowSchema.in.shape);
/** The columns of a relation. */
export const EDGE_COLUMNS = Object.keys(edgeRowSchema.in.shape);
/** The columns of a page or a file. */
export const RESOURCE_COLUMNS = Object.keys(resourceRowSchema.in.shape);

/** Reads entities back; a row that is none is left out. */
export function readEntities(rows: readonly Row[]): StoredEntity[] {
  return readAll(rows, entityRowSchema);
}

/** Reads relations back; a row that is none is left out. */
export function readEdges(rows: readonly Row[]): StoredEdge[] {
  return readAll(rows, edgeRowSchema);
}

/** Reads pages and files back; a row that is none is left out. */
export function readResources(rows: readonly Row[]): Resource[] {
  return readAll(rows, resourceRowSchema);
}

function readAll<T>(rows: readonly Row[], schema: z.ZodType<T>): T[] {
  return rows.flatMap((row) => {
    try {
      const parsed = schema.safeParse(row);
      return parsed.success ? [parsed.data] : [];
    } catch {
      // A list that is no JSON.
      return [];
    }
  });
}

/** The entity as the rest of the product knows it. */
export function publicEntity({ turns: _turns, taught: _taught, ...entity }: StoredEntity): Entity {
  return entity;
}

/** The relation as the rest of the product knows it. */
export function publicEdge({
  turns: _turns,
  told: _told,
  quote: _quote,
  createdAt: _createdAt,
  ...edge
}: StoredEdge): Relationship {
  return edge;
}

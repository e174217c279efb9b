import { z } from "zod";
import type { AnyHit } from "../../agent/memory/port.ts";
import {
  SORT_COLUMNS,
  type ForgetTable,
  type ForgetWhat,
  type MemoryEdit,
  type MemoryTable,
  type MemoryTableQuery,
  type MomentQuery,
} from "../../agent/memory/types.ts";
import {
  annotationSchema,
  entityType,
  episodeSchema,
  factKind,
  learntSchema,
  momentSchema,
  name,
  resourceSchema,
  retrievalSchema,
  scopes,
  sentence,
  share,
  time,
} from "../schemas.ts";

/** Most ids or rows that one request may carry. */
export const MAX_BATCH = 1_000;
/** Most hits or rows that one request may ask for. */
export const MAX_PAGE = 200;
/** Most texts that one request may have embedded, and how long each may be (UTF-16 units). */
export const MAX_EMBEDDED = 64;
export const MAX_EMBEDDED_TEXT = 8_000;
/** Most turns that a search may leave out. */
const MAX_EXCLUDED = 10_000;

const ids = z.array(z.string().max(200)).max(MAX_BATCH);
const excludeTurnIds = z.array(name).max(MAX_EXCLUDED).exactOptional();

const hitTypes = [
  "episode",
  "moment",
  "fact",
  "relationship",
  "resource",
] as const satisfies readonly AnyHit["type"][];

const query = z.object({
  query: z.string(),
  limit: z.int().min(1).max(MAX_PAGE).exactOptional(),
  excludeTurnIds,
  asAsked: z.literal(true).exactOptional(),
  unjudged: z.literal(true).exactOptional(),
  from: time.exactOptional(),
  to: time.exactOptional(),
  scopes: scopes.exactOptional(),
  settings: retrievalSchema.exactOptional(),
  types: z.array(z.enum(hitTypes)).max(10).exactOptional(),
  minConfidence: share.exactOptional(),
  owners: z.array(name).max(100).exactOptional(),
});

/** The tables that are forgotten from. */
export const FORGET_TABLES = [
  "episodes",
  "facts",
  "people",
  "relationships",
  "resources",
  "moments",
] as const satisfies readonly ForgetTable[];

function tableQuery<T extends MemoryTable>(table: T) {
  return z.object({
    table: z.literal(table),
    offset: z.int().min(0),
    limit: z.int().min(0).max(MAX_PAGE),
    filter: z.string().max(1_000).exactOptional(),
    sort: z.object({ column: z.enum(SORT_COLUMNS[table]), ascending: z.boolean() }).exactOptional(),
    scopes: scopes.exactOptional(),
    onlyCurrent: z.boolean().exactOptional(),
    from: time.exactOptional(),
    to: time.exactOptional(),
  });
}

const edit = z.discriminatedUnion("table", [
  z.object({
    table: z.literal("episodes"),
    id: z.uuid(),
    question: z.string().max(100_000).exactOptional(),
    answer: z.string().max(100_000).exactOptional(),
    pinned: z.boolean().exactOptional(),
  }),
  z.object({
    table: z.literal("facts"),
    id: z.uuid(),
    text: sentence.min(1).exactOptional(),
    kind: factKind.exactOptional(),
    subject: name.exactOptional(),
    confidence: share.exactOptional(),
    pinned: z.boolean().exactOptional(),
    holds: z.boolean().exactOptional(),
  }),
  z.object({
    table: z.literal("people"),
    id: z.uuid(),
    name: name.min(1).exactOptional(),
    type: entityType.exactOptional(),
    aliases: z.array(name).max(100).exactOptional(),
    pinned: z.boolean().exactOptional(),
  }),
  z.object({
    table: z.literal("relationships"),
    id: z.uuid(),
    type: name.min(1).exactOptional(),
    text: sentence.min(1).exactOptional(),
    strength: share.exactOptional(),
    holds: z.boolean().exactOptional(),
  }),
  z.object({
    table: z.literal("moments"),
    id: z.uuid(),
    title: sentence.min(1).exactOptional(),
    text: z.string().min(1).max(100_000).exactOptional(),
    pinned: z.boolean().exactOptional(),
  }),
]) satisfies z.ZodType<MemoryEdit>;

const forgetWhat = z.discriminatedUnion("by", [
  z.object({ by: z.literal("ids"), table: z.enum(FORGET_TABLES), ids }),
  z.object({
    by: z.literal("about"),
    about: z.string().trim().min(1).max(500),
    scopes: scopes.exactOptional(),
  }),
  z.object({ by: z.literal("turns"), turnIds: ids }),
  z.object({ by: z.literal("session"), sessionId: name.min(1) }),
  z.object({ by: z.literal("everything") }),
]) satisfies z.ZodType<ForgetWhat>;

/** What each method is asked: the one definition gives the type and the check on both sides. */
export const paramsSchemas = {
  search: query,
  searchAll: query,
  add: z.object({ episodes: z.array(episodeSchema).max(MAX_BATCH) }),
  annotate: z.object({ annotations: z.array(annotationSchema).max(MAX_BATCH) }),
  learn: learntSchema,
  keep: z.object({ resources: z.array(resourceSchema).max(100) }),
  saveMoments: z.object({ moments: z.array(momentSchema).max(100) }),
  moments: z.object({
    query: z.string().exactOptional(),
    from: time.exactOptional(),
    to: time.exactOptional(),
    scopes: scopes.exactOptional(),
    limit: z.int().min(0).max(MAX_PAGE),
    offset: z.int().min(0).exactOptional(),
  }) satisfies z.ZodType<MomentQuery>,
  graph: z.object({
    people: z.array(name).max(50),
    locations: z.array(name).max(50),
    scopes: scopes.exactOptional(),
    limit: z.int().min(1).max(MAX_PAGE).exactOptional(),
  }),
  card: z.object({
    question: z.string(),
    agent: name,
    scopes: scopes.exactOptional(),
    minConfidence: share,
    excludeTurnIds,
    owners: z.array(name).max(100).exactOptional(),
    facts: z.object({ fitting: z.int().min(0).max(50), latest: z.int().min(0).max(50) }).exactOptional(),
  }),
  list: z.discriminatedUnion("table", [
    tableQuery("episodes"),
    tableQuery("facts"),
    tableQuery("people"),
    tableQuery("relationships"),
    tableQuery("resources"),
    tableQuery("moments"),
  ]) satisfies z.ZodType<MemoryTableQuery>,
  edit,
  previewForget: forgetWhat,
  forget: forgetWhat,
  exportPage: z.object({ cursor: z.string().max(1_000).exactOptional() }),
  importLines: z.object({ lines: z.array(z.string().max(3_000_000)).max(MAX_BATCH) }),
  embedding: z.object({ action: z.enum(["stop", "start"]) }),
  embed: z.object({
    texts: z.array(z.string().max(MAX_EMBEDDED_TEXT)).max(MAX_EMBEDDED),
    kind: z.enum(["query", "document"]),
  }),
  status: z.object({}),
};

/** The name of a request. */
export type Method = keyof typeof paramsSchemas;

/** All of them. */
export const METHODS = Object.keys(paramsSchemas) as readonly Method[];

/** What a method is asked. */
export type Params<M extends Method> = z.infer<(typeof paramsSchemas)[M]>;

import { z } from "zod";
import type { AnyHit, MemorySearch } from "../../agent/memory-port.ts";
import {
  SORT_COLUMNS,
  type ExportPage,
  type Forgotten,
  type ForgetPreview,
  type ForgetWhat,
  type GraphAnswer,
  type Imported,
  type Learned,
  type MemoryCard,
  type MemoryEdit,
  type MemoryTable,
  type MemoryTablePage,
  type MemoryTableQuery,
  type MomentPage,
  type MomentQuery,
} from "../../agent/memory-types.ts";
import {
  annotationSchema,
  anyHitSchema,
  entitySchema,
  entityType,
  episodeSchema,
  factKind,
  factSchema,
  hitSchema,
  learntSchema,
  momentSchema,
  name,
  notesSchema,
  relationshipSchema,
  resourceSchema,
  retrievalSchema,
  scopes,
  sentence,
  share,
  time,
  turnRef,
} from "./schemas.ts";

/** Most ids or rows that one request may carry. */
export const MAX_BATCH = 1_000;
/** Most hits or rows that one request may ask for. */
export const MAX_PAGE = 200;
/** Most texts that one request may have embedded, and how long each may be (UTF-16 units). */
export const MAX_EMBEDDED = 64;
export const MAX_EMBEDDED_TEXT = 8_000;
/** Most turns that a search may leave out. */
const MAX_EXCLUDED = 10_000;

/** Most floats of one embedding. */
const MAX_DIMENSIONS = 16_384;

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
  from: time.exactOptional(),
  to: time.exactOptional(),
  scopes: scopes.exactOptional(),
  settings: retrievalSchema.exactOptional(),
  types: z.array(z.enum(hitTypes)).max(10).exactOptional(),
  minConfidence: share.exactOptional(),
});

const forgetTables = ["episodes", "facts", "people", "relationships", "resources", "moments"] as const;

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
  z.object({ by: z.literal("ids"), table: z.enum(forgetTables), ids }),
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

const counts = z.object({
  episodes: z.int(),
  facts: z.int(),
  people: z.int(),
  relationships: z.int(),
  resources: z.int(),
  moments: z.int().exactOptional(),
});
const told = z.array(z.object({ id: name, text: z.string() }));

/** What the memory process says of itself. */
export const hostStatusSchema = z.object({
  episodes: z.int(),
  facts: z.int().exactOptional(),
  embedder: z.string().exactOptional(),
  waiting: z.int().exactOptional(),
  message: z.string().exactOptional(),
  doing: z.string().exactOptional(),
});
/** What the memory process says of itself. */
export type HostStatus = z.infer<typeof hostStatusSchema>;

/** What each method answers, to be checked on arrival. */
export const valueSchemas = {
  search: z.object({
    hits: z.array(hitSchema),
    searched: z.int(),
    dropped: z.int().exactOptional(),
    range: z.object({ from: time, to: time }).exactOptional(),
    note: z.string().exactOptional(),
  }),
  searchAll: z.object({ hits: z.array(anyHitSchema) }),
  add: z.object({ added: z.int() }),
  annotate: z.object({ added: z.int() }),
  learn: z.object({
    added: told,
    repeated: told,
    closed: told,
    rejected: z.array(z.object({ text: z.string(), reason: z.string() })),
    entities: z.int(),
    edges: z.int(),
  }),
  keep: z.object({ kept: z.int() }),
  saveMoments: z.object({ saved: z.int() }),
  moments: z.object({
    moments: z.array(z.object({ moment: momentSchema, score: share })),
    total: z.int(),
  }),
  graph: z.object({
    lines: z.array(z.object({ relationship: relationshipSchema, hops: z.int(), text: z.string() })),
    unknown: z.array(z.string()),
  }),
  card: z.object({
    relationships: z.array(relationshipSchema),
    facts: z.array(factSchema),
    pinned: z.array(factSchema),
    interests: z.array(z.object({ name, score: share })),
  }),
  list: z.object({
    rows: z.array(
      z.union([
        episodeSchema.extend({ notes: notesSchema }),
        factSchema,
        entitySchema,
        relationshipSchema,
        resourceSchema,
        momentSchema,
      ]),
    ),
    total: z.int(),
  }),
  edit: z.object({ changed: z.boolean() }),
  previewForget: z.object({
    counts,
    samples: z.array(z.object({ table: z.enum(forgetTables), text: z.string() })),
  }),
  forget: z.object({
    removed: z.int(),
    counts,
    turns: z.array(turnRef.pick({ sessionId: true, turnId: true })),
  }),
  exportPage: z.object({ lines: z.array(z.string()), next: z.string().exactOptional() }),
  importLines: z.object({
    added: z.int(),
    known: z.int(),
    bad: z.array(z.object({ line: z.int(), reason: z.string() })),
  }),
  embedding: z.object({ changed: z.boolean() }),
  embed: z.object({
    model: z.string(),
    embeddings: z.array(z.array(z.number()).max(MAX_DIMENSIONS)).max(MAX_EMBEDDED),
  }),
  status: hostStatusSchema,
};

/** The name of a request. */
export type Method = keyof typeof paramsSchemas;

/** All of them. */
export const METHODS = Object.keys(paramsSchemas) as readonly Method[];

/** What a method is asked. */
export type Params<M extends Method> = z.infer<(typeof paramsSchemas)[M]>;

/** What each method answers. */
export interface Values {
  readonly search: MemorySearch;
  readonly searchAll: { readonly hits: readonly AnyHit[] };
  readonly add: { readonly added: number };
  readonly annotate: { readonly added: number };
  readonly learn: Learned;
  readonly keep: { readonly kept: number };
  readonly saveMoments: { readonly saved: number };
  readonly moments: MomentPage;
  readonly graph: GraphAnswer;
  readonly card: MemoryCard;
  readonly list: MemoryTablePage;
  readonly edit: { readonly changed: boolean };
  readonly previewForget: ForgetPreview;
  readonly forget: Forgotten;
  readonly exportPage: ExportPage;
  readonly importLines: Imported;
  readonly embedding: { readonly changed: boolean };
  /** As plain numbers: the channel is one of JSON. */
  readonly embed: { readonly model: string; readonly embeddings: readonly (readonly number[])[] };
  readonly status: HostStatus;
}

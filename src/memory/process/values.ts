import { z } from "zod";
import type { AnyHit, MemorySearch } from "../../agent/memory/port.ts";
import type {
  ExportPage,
  Forgotten,
  ForgetPreview,
  GraphAnswer,
  Imported,
  Learned,
  MemoryCard,
  MemoryTablePage,
  MomentPage,
} from "../../agent/memory/types.ts";
import {
  anyHitSchema,
  entitySchema,
  episodeSchema,
  factSchema,
  hitSchema,
  momentSchema,
  name,
  notesSchema,
  relationshipSchema,
  resourceSchema,
  share,
  time,
  turnRef,
} from "../schemas.ts";
import { FORGET_TABLES, MAX_EMBEDDED } from "./params.ts";

/** Most floats of one embedding. */
const MAX_DIMENSIONS = 16_384;

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
    samples: z.array(z.object({ table: z.enum(FORGET_TABLES), text: z.string() })),
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

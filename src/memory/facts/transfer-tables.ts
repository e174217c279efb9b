import { z } from "zod";
import {
  EDGE_COLUMNS,
  ENTITY_COLUMNS,
  RESOURCE_COLUMNS,
  edgeRow,
  edgesSpec,
  entitiesSpec,
  entityRow,
  readEdges,
  readEntities,
  readResources,
  resourceRow,
  resourcesSpec,
} from "../graph/tables.ts";
import { taughtSchema } from "../graph/taught.ts";
import { toldSchema } from "../graph/told.ts";
import {
  annotationSchema,
  entitySchema,
  episodeSchema,
  factSchema,
  momentSchema,
  relationshipSchema,
  resourceSchema,
} from "../schemas.ts";
import { MOMENT_COLUMNS, momentRow, momentsSpec, readMoments } from "../moments/table.ts";
import { ANNOTATIONS } from "../store/annotations.ts";
import { EPISODES } from "../store/episodes.ts";
import { EPISODE_COLUMNS, fromRow, toRow } from "../store/rows.ts";
import type { Row, StoredRow, TableSpec } from "../store/spec.ts";
import { interestRow, interestSchema, interestsSpec, readInterests } from "./interests.ts";
import { FACT_COLUMNS, factRow, factSourcesSchema, factsSpec, readFacts } from "./table.ts";

/** How the rows of a table are written into an export and read from one. */
export interface TransferTable {
  /** What it is called in an export. */
  readonly name: string;
  readonly spec: TableSpec;
  readonly columns: readonly string[];
  /** The rows as they are exported; what can't be read is left out. */
  readonly toExport: (rows: readonly Row[]) => readonly unknown[];
  /** A row out of an export; a sentence when it isn't one. */
  readonly fromExport: (
    row: unknown,
  ) => { readonly ok: true; readonly row: StoredRow } | { readonly ok: false; readonly reason: string };
}

function transferTable<T>(
  name: string,
  spec: TableSpec,
  columns: readonly string[],
  toExport: (rows: readonly Row[]) => readonly T[],
  schema: z.ZodType<T>,
  toRow: (row: T) => StoredRow,
): TransferTable {
  return {
    name,
    spec,
    columns,
    toExport,
    fromExport: (row) => {
      const parsed = schema.safeParse(row);
      if (parsed.success) return { ok: true, row: lowerIds(toRow(parsed.data)) };
      const [issue] = parsed.error.issues;
      const place = issue?.path.map(String).join(".") ?? "";
      return {
        ok: false,
        reason: `not a row of ${name}: ${place === "" ? "" : `${place}: `}${issue?.message ?? ""}`,
      };
    },
  };
}

/** Ids are stored in lower case. */
function lowerIds(row: StoredRow): StoredRow {
  const ids = ["id", "episode_id", "from_id", "to_id"].flatMap((column) => {
    const id = row[column];
    return typeof id === "string" ? [[column, id.toLowerCase()] as const] : [];
  });
  return { ...row, ...Object.fromEntries(ids) };
}

const annotationRow = z
  .object({
    id: z.string(),
    episode_id: z.string(),
    kind: z.string(),
    value: z.string(),
    by: z.string(),
    time: z.number(),
  })
  .transform(({ episode_id: episodeId, value, ...rest }, context): unknown => {
    try {
      return { ...rest, episodeId, value: JSON.parse(value) as unknown };
    } catch {
      context.addIssue("The value of an annotation can't be read.");
      return z.NEVER;
    }
  })
  .pipe(annotationSchema);

const turnIds = z.array(z.string().max(500)).max(1_000);
const moment = z.number().min(-8.64e15).max(8.64e15);

/** The tables of an export, in the order in which they are written: what others refer to first. */
export const TRANSFER_TABLES: readonly TransferTable[] = [
  transferTable(
    "episodes",
    EPISODES,
    EPISODE_COLUMNS,
    (rows) => rows.map(fromRow).filter((episode) => episode !== undefined),
    episodeSchema,
    toRow,
  ),
  transferTable(
    "annotations",
    ANNOTATIONS,
    ["id", "episode_id", "kind", "value", "by", "time"],
    (rows) =>
      rows.map((row) => annotationRow.safeParse(row)).flatMap((read) => (read.success ? [read.data] : [])),
    annotationSchema,
    ({ id, episodeId, kind, value, by, time }) => ({
      ...{ id, kind, by, time },
      episode_id: episodeId,
      value: JSON.stringify(value),
    }),
  ),
  transferTable(
    "facts",
    factsSpec,
    FACT_COLUMNS,
    readFacts,
    factSchema.extend({ sources: factSourcesSchema.min(1) }),
    factRow,
  ),
  transferTable(
    "people",
    entitiesSpec,
    ENTITY_COLUMNS,
    readEntities,
    entitySchema.extend({ turns: turnIds, taught: taughtSchema.default([]) }),
    entityRow,
  ),
  transferTable(
    "relationships",
    edgesSpec,
    EDGE_COLUMNS,
    readEdges,
    relationshipSchema.extend({
      turns: turnIds,
      quote: z.string().max(10_000),
      createdAt: moment,
      told: toldSchema.default([]),
    }),
    edgeRow,
  ),
  transferTable("resources", resourcesSpec, RESOURCE_COLUMNS, readResources, resourceSchema, resourceRow),
  transferTable("moments", momentsSpec, MOMENT_COLUMNS, readMoments, momentSchema, momentRow),
  transferTable(
    "interests",
    interestsSpec,
    ["id", "agent", "name", "score", "older", "sources", "updated_at"],
    readInterests,
    interestSchema,
    interestRow,
  ),
];

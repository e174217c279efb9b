import type { Table } from "@lancedb/lancedb";
import { Schema } from "apache-arrow";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Annotation, AnnotationValue, EpisodeNotes } from "../../agent/memory/port.ts";
import { annotationSchema } from "../schemas.ts";
import type { Database } from "./database.ts";
import { IDS_PER_FILTER, readAll } from "./present.ts";
import { numberField, textField } from "./rows.ts";
import type { StoredRow, TableSpec } from "./spec.ts";
import { isOneOf, literal, validIds } from "./sql.ts";
import type { StoreTable } from "./table.ts";

/** The table of annotations. */
export const ANNOTATIONS: TableSpec = {
  name: "annotations",
  version: 1,
  schema: () =>
    new Schema([
      textField("id"),
      textField("episode_id"),
      textField("kind"),
      textField("value"),
      textField("by"),
      numberField("time"),
    ]),
  migrations: [],
  indexed: { id: "btree", episode_id: "btree", kind: "bitmap" },
  tidy: dropSuperseded,
};

/** What an annotation of a kind says. */
type ValueOf<K extends AnnotationValue["kind"]> = Extract<AnnotationValue, { kind: K }>["value"];

/**
 * What is known of episodes beyond themselves. Append-only: of the annotations of one kind the latest holds, of two
 * with the same time the one written later; a score by the user holds over those by anyone else. They may come before
 * their episode. Nothing here throws.
 */
export class AnnotationTable {
  readonly table: StoreTable;

  constructor(database: Database) {
    this.table = database.table(ANNOTATIONS);
  }

  /** Adds annotations in one write and gives the ids that were new. */
  append(annotations: readonly Annotation[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    return this.table.append(annotations.map(toRow), signal);
  }

  /** The notes of these episodes; those without any are left out. */
  async fold(
    episodeIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<ReadonlyMap<string, EpisodeNotes>>> {
    const annotations = await this.of(episodeIds, signal);
    return annotations.ok ? success(foldNotes(annotations.value)) : annotations;
  }

  /** All annotations of these episodes, superseded ones too, the earliest first. */
  of(episodeIds: readonly string[], signal: AbortSignal): Promise<Result<readonly Annotation[]>> {
    const wanted = validIds(episodeIds);
    return this.table.read<readonly Annotation[]>(
      [],
      async (table) => {
        const found: Annotation[] = [];
        for (let start = 0; start < wanted.length; start += IDS_PER_FILTER) {
          const part = wanted.slice(start, start + IDS_PER_FILTER);
          found.push(...read(await table.query().where(isOneOf("episode_id", part)).toArray()));
        }
        return inOrder(found);
      },
      signal,
    );
  }

  /** The value that holds of one kind, by episode id, of all episodes that have one; null where it was taken back. */
  ofKind<K extends AnnotationValue["kind"]>(
    kind: K,
    signal: AbortSignal,
  ): Promise<Result<ReadonlyMap<string, ValueOf<K>>>> {
    return this.table.read<ReadonlyMap<string, ValueOf<K>>>(
      new Map(),
      async (table) => {
        const rows: unknown[] = await table
          .query()
          .where(`kind = ${literal(kind)}`)
          .toArray();
        return new Map(
          holding(inOrder(read(rows))).map((each) => [each.episodeId, each.value as ValueOf<K>]),
        );
      },
      signal,
    );
  }

  /** Removes the annotations of episodes, from the disk too, and gives how many there were. */
  forget(episodeIds: readonly string[], signal: AbortSignal): Promise<Result<number>> {
    const wanted = validIds(episodeIds);
    const filters: string[] = [];
    for (let start = 0; start < wanted.length; start += IDS_PER_FILTER) {
      filters.push(isOneOf("episode_id", wanted.slice(start, start + IDS_PER_FILTER)));
    }
    return this.table.wipe(filters, signal);
  }
}

/** The notes that annotations add up to, by episode id; the earliest first, as `of` gives them. */
export function foldNotes(annotations: readonly Annotation[]): ReadonlyMap<string, EpisodeNotes> {
  const notes = new Map<string, EpisodeNotes>();
  for (const annotation of holding(annotations)) {
    notes.set(annotation.episodeId, withNote(notes.get(annotation.episodeId) ?? {}, annotation));
  }
  return notes;
}

/** Leaves out what does not hold however late it came: what others give after the user has graded. */
function holding<A extends Told>(annotations: readonly A[]): readonly A[] {
  const byUser = new Set(annotations.filter(isUsersScore).map(({ episodeId }) => episodeId));
  if (byUser.size === 0) return annotations;
  return annotations.filter(
    (each) => each.kind !== "score" || isUsersScore(each) || !byUser.has(each.episodeId),
  );
}

/** Who says what kind of thing of which episode. */
interface Told {
  readonly episodeId: string;
  readonly kind: string;
  readonly by: string;
}

function isUsersScore({ kind, by }: Told): boolean {
  return kind === "score" && by === "user";
}

function withNote(before: EpisodeNotes, annotation: Annotation): EpisodeNotes {
  if (annotation.value !== null) return { ...before, ...note(annotation) };
  return annotation.kind === "feedback" ? withoutFeedback(before) : withoutScore(before);
}

function withoutFeedback({ feedback: _feedback, ...rest }: EpisodeNotes): EpisodeNotes {
  return rest;
}

function withoutScore({ score: _score, scoreBy: _by, ...rest }: EpisodeNotes): EpisodeNotes {
  return rest;
}

function note(annotation: Annotation): EpisodeNotes {
  switch (annotation.kind) {
    case "pin":
      return { pinned: annotation.value };
    case "class":
      return annotation.value;
    case "score":
      return annotation.value === null
        ? {}
        : { score: annotation.value, scoreBy: annotation.by === "user" ? "user" : "critic" };
    case "verdict":
      return { verdict: annotation.value };
    case "reward":
      return { reward: annotation.value, rewardAt: annotation.time };
    case "reason":
      return { rewardFor: annotation.value };
    case "sentiment":
      return { sentiment: annotation.value };
    case "edit":
      return { edit: annotation.value };
    case "feedback":
      return annotation.value === null ? {} : { feedback: annotation.value };
    case "taken":
      return { taken: annotation.value };
  }
}

function toRow(annotation: Annotation): StoredRow {
  return {
    id: annotation.id.toLowerCase(),
    episode_id: annotation.episodeId.toLowerCase(),
    kind: annotation.kind,
    value: JSON.stringify(annotation.value).toWellFormed(),
    by: annotation.by,
    time: annotation.time,
  };
}

const rowSchema = z
  .object({ episode_id: z.string(), value: z.string() })
  .loose()
  .transform(({ episode_id, value, ...rest }, context): unknown => {
    try {
      return { ...rest, episodeId: episode_id, value: JSON.parse(value) as unknown };
    } catch {
      context.addIssue({ code: "custom", message: "not JSON" });
      return z.NEVER;
    }
  })
  .pipe(annotationSchema);

function read(rows: readonly unknown[]): Annotation[] {
  return readAll<Annotation>(rows, rowSchema);
}

/** By time; a stable sort leaves those of one time in the order they were written in. */
function inOrder(annotations: readonly Annotation[]): Annotation[] {
  return [...annotations].sort((a, b) => a.time - b.time);
}

const keySchema = z
  .object({ id: z.string(), episode_id: z.string(), kind: z.string(), by: z.string(), time: z.number() })
  .transform(({ episode_id: episodeId, ...rest }) => ({ ...rest, episodeId }));

/** Removes annotations that a later one of the same kind has taken the place of. */
async function dropSuperseded(table: Table): Promise<void> {
  const rows = readAll(
    await table.query().select(["id", "episode_id", "kind", "by", "time"]).toArray(),
    keySchema,
  ).sort((a, b) => a.time - b.time);
  const latest = new Map(holding(rows).map(({ id, episodeId, kind }) => [`${episodeId} ${kind}`, id]));
  const kept = new Set(latest.values());
  const gone = rows.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  for (let start = 0; start < gone.length; start += IDS_PER_FILTER) {
    await table.delete(isOneOf("id", gone.slice(start, start + IDS_PER_FILTER)));
  }
}

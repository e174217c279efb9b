import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from "apache-arrow";
import { z } from "zod";
import type { Episode } from "../../agent/memory-port.ts";
import { episodeSchema } from "../process/protocol.ts";

/** The version of the table's columns, written into the table. Raise it with a migration. */
export const STORE_VERSION = 1;
/** The name of the table. */
export const TABLE = "episodes";
/** The length of an embedding. */
export const DIMENSIONS = 384;

/** Longest question or answer that is kept, in UTF-16 units: the log has the whole. */
export const MAX_TEXT = 100_000;

const VERSION_KEY = "conclave.store_version";

/** The columns of the table. `text` is what is indexed; `embedding` is null until there is an embedder. */
export function storeSchema(version = STORE_VERSION): Schema {
  const text = (name: string, nullable = false): Field => new Field(name, new Utf8(), nullable);
  const floats = new FixedSizeList(DIMENSIONS, new Field("item", new Float32(), true));
  return new Schema(
    [
      text("id"),
      text("session_id"),
      text("turn_id"),
      text("question"),
      text("answer"),
      text("agent"),
      text("respondent"),
      text("model"),
      text("kind"),
      new Field("time", new Float64(), false),
      text("text"),
      new Field("embedding", floats, true),
      text("embedding_model", true),
    ],
    new Map([[VERSION_KEY, String(version)]]),
  );
}

/** The version a table was written with; undefined when it isn't one of ours. */
export function readVersion(metadata: ReadonlyMap<string, string>): number | undefined {
  const version = Number(metadata.get(VERSION_KEY));
  return Number.isInteger(version) && version > 0 ? version : undefined;
}

/** The columns an episode is read back from. */
export const EPISODE_COLUMNS = [
  "id",
  "session_id",
  "turn_id",
  "question",
  "answer",
  "agent",
  "respondent",
  "model",
  "kind",
  "time",
];

/** A row as it is written. */
export type StoredRow = Record<string, string | number | number[] | null>;

/** An episode with what is computed from it. */
export interface NewRow {
  readonly episode: Episode;
  readonly embedding?: Float32Array;
  readonly embeddingModel?: string;
}

/** Turns an episode into a row. Over-long texts are cut and half characters replaced, so that every row can be written. */
export function toRow({ episode, embedding, embeddingModel }: NewRow): StoredRow {
  return {
    id: episode.id.toLowerCase(),
    session_id: episode.sessionId.toWellFormed(),
    turn_id: episode.turnId.toWellFormed(),
    question: keepable(episode.question),
    answer: keepable(episode.answer),
    agent: episode.agent.toWellFormed(),
    respondent: episode.respondent.toWellFormed(),
    model: episode.model.toWellFormed(),
    kind: episode.kind.toWellFormed(),
    time: episode.time,
    text: searchedText(episode),
    embedding: embedding === undefined ? null : Array.from(embedding),
    embedding_model: embeddingModel ?? null,
  };
}

/** The text that is searched: when it was said, in words, then question and answer. */
export function searchedText(episode: Episode): string {
  return `${dateWords(episode.time)}\n${keepable(episode.question)}\n${keepable(episode.answer)}`;
}

/** A day in words, such as `Monday 8 May 2023`, in the time zone of this machine. */
export function dateWords(time: number): string {
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  })
    .format(time)
    .replaceAll(",", "");
}

function keepable(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} ...` : text;
  return cut.toWellFormed();
}

/** Reads an episode back; undefined when the row isn't one. */
export function fromRow(row: unknown): Episode | undefined {
  const parsed = rowSchema.safeParse(row);
  return parsed.success ? parsed.data : undefined;
}

const rowSchema = z
  .object({ session_id: z.string(), turn_id: z.string() })
  .loose()
  .transform(({ session_id, turn_id, ...rest }) => ({ ...rest, sessionId: session_id, turnId: turn_id }))
  .pipe(episodeSchema);

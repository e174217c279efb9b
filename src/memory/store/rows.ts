import { Field, Float64, Schema, Utf8 } from "apache-arrow";
import { z } from "zod";
import type { Episode } from "../../agent/memory/port.ts";
import { episodeSchema } from "../schemas.ts";
import type { StoredRow } from "./spec.ts";
import { wordsApart } from "./words-apart.ts";

/** The length of an embedding of the built-in model. */
export const DIMENSIONS = 384;

/** Longest question or answer that is kept, in UTF-16 units: the log has the whole. */
export const MAX_TEXT = 100_000;

/** A column of text. */
export function textField(name: string, nullable = false): Field {
  return new Field(name, new Utf8(), nullable);
}

/** A column of numbers. */
export function numberField(name: string, nullable = false): Field {
  return new Field(name, new Float64(), nullable);
}

/** The columns of the table of episodes. `text` is what is indexed; what version 1 had not is null in its rows. */
export function episodeColumns(): Schema {
  return new Schema([
    textField("id"),
    textField("session_id"),
    textField("turn_id"),
    textField("question"),
    textField("answer"),
    textField("agent"),
    textField("respondent"),
    textField("model"),
    textField("kind"),
    numberField("time"),
    textField("text"),
    textField("scope", true),
    textField("intent", true),
    textField("entities", true),
    textField("refs", true),
    textField("sources", true),
  ]);
}

/** The columns an episode is read back from. */
export const EPISODE_COLUMNS: readonly string[] = [
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
  "scope",
  "intent",
  "entities",
  "refs",
  "sources",
];

/** Turns an episode into a row. Over-long texts are cut and half characters replaced, so that every row can be written. */
export function toRow(episode: Episode): StoredRow {
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
    scope: episode.scope?.toWellFormed() ?? null,
    intent: episode.intent ?? null,
    entities: json(episode.entities),
    refs: json(episode.references),
    sources: json(episode.sources),
  };
}

/** The text that is searched: when it was said, in words, then question and answer, their words apart. */
export function searchedText(episode: Pick<Episode, "time" | "question" | "answer">): string {
  return `${dateWords(episode.time)}\n${wordsApart(`${keepable(episode.question)}\n${keepable(episode.answer)}`)}`;
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July", "August", "September"],
  ...["October", "November", "December"],
];

/**
 * A day in words, such as `Monday 8 May 2023`, in the time zone that this machine is in now: people travel, and a
 * formatter would keep the zone that it was made in.
 */
export function dateWords(time: number): string {
  const date = new Date(time);
  const [weekday, month] = [WEEKDAYS[date.getDay()] ?? "", MONTHS[date.getMonth()] ?? ""];
  return `${weekday} ${date.getDate()} ${month} ${date.getFullYear()}`;
}

/** Reads an episode back; undefined when the row isn't one. What can't be read of its newer columns is left out. */
export function fromRow(row: unknown): Episode | undefined {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success) return undefined;
  const { session_id, turn_id, refs, entities, sources, scope, intent, ...rest } = parsed.data;
  const optional = {
    scope,
    intent,
    entities: parsedJson(entities),
    references: parsedJson(refs),
    sources: parsedJson(sources),
  };
  const known = Object.entries(optional).filter(
    ([key, value]) =>
      value !== null && value !== undefined && optionalSchema.safeParse({ [key]: value }).success,
  );
  const episode = episodeSchema.safeParse({
    ...rest,
    sessionId: session_id,
    turnId: turn_id,
    ...Object.fromEntries(known),
  });
  return episode.success ? episode.data : undefined;
}

const optionalSchema = episodeSchema
  .pick({ scope: true, intent: true, entities: true, references: true, sources: true })
  .partial();

const rowSchema = z
  .object({
    session_id: z.string(),
    turn_id: z.string(),
    scope: z.string().nullish(),
    intent: z.string().nullish(),
    entities: z.string().nullish(),
    refs: z.string().nullish(),
    sources: z.string().nullish(),
  })
  .loose();

function keepable(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} ...` : text;
  return cut.toWellFormed();
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value).toWellFormed();
}

function parsedJson(text: string | null | undefined): unknown {
  if (text === null || text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

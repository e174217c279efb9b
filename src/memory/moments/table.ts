import { Bool, Field, Schema } from "apache-arrow";
import { z } from "zod";
import type { Moment } from "../../agent/memory/types.ts";
import { readAll } from "../store/present.ts";
import { numberField, textField } from "../store/rows.ts";
import type { StoredRow, TableSpec } from "../store/spec.ts";
import { wordsApart } from "../store/words-apart.ts";

/** Most turns that a moment is kept with. */
export const MAX_MOMENT_TURNS = 50;

/** The table of moments. */
export const momentsSpec: TableSpec = {
  name: "moments",
  version: 2,
  schema: () =>
    new Schema([
      ...["id", "title", "body", "text", "scope", "agent"].map((name) => textField(name)),
      ...["session_id", "turn_id", "turns"].map((name) => textField(name)),
      ...["from_time", "to_time", "source_time"].map((name) => numberField(name)),
      // Since version 2.
      new Field("pinned", new Bool(), true),
    ]),
  migrations: [],
  textColumn: "text",
};

const turnsSchema = z
  .array(z.object({ sessionId: z.string().max(500), turnId: z.string().max(500) }))
  .max(MAX_MOMENT_TURNS);

const turns = z.string().transform((json, context) => {
  try {
    return turnsSchema.parse(JSON.parse(json));
  } catch {
    context.addIssue("The turns of a moment can't be read.");
    return z.NEVER;
  }
});

const rowSchema = z
  .object({
    ...{ id: z.string(), title: z.string(), body: z.string(), scope: z.string(), agent: z.string() },
    ...{ session_id: z.string(), turn_id: z.string(), source_time: z.number(), turns },
    ...{ from_time: z.number(), to_time: z.number(), pinned: z.boolean().nullish() },
  })
  .transform((row): Moment => ({
    ...{ id: row.id, title: row.title, text: row.body, scope: row.scope, agent: row.agent },
    from: row.from_time,
    to: row.to_time,
    source: { sessionId: row.session_id, turnId: row.turn_id, time: row.source_time },
    turns: row.turns,
    ...(row.pinned === true && { pinned: true }),
  }));

/** The columns a moment is read back from. */
export const MOMENT_COLUMNS = Object.keys(rowSchema.in.shape);

/** A moment as a row. */
export function momentRow({ text, from, to, source, ...moment }: Moment): StoredRow {
  const { id, title, scope, agent } = moment;
  return {
    ...{ id, title, scope, agent },
    body: text,
    text: wordsApart(`${title}\n${text}`.toLowerCase()),
    session_id: source.sessionId,
    turn_id: source.turnId,
    turns: JSON.stringify(moment.turns),
    from_time: from,
    to_time: to,
    source_time: source.time,
    pinned: moment.pinned === true,
  };
}

/** Reads moments back; a row that is none is left out. */
export function readMoments(rows: readonly unknown[]): Moment[] {
  return readAll(rows, rowSchema);
}

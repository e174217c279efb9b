import type { Table } from "@lancedb/lancedb";
import { z } from "zod";
import { readAll } from "./present.ts";
import type { MigrationContext } from "./spec.ts";
import type { VectorRow } from "./vector-row.ts";

/** Rows that are moved at once. */
const ROWS = 1_000;

const rowSchema = z.object({
  id: z.string(),
  session_id: z.string(),
  turn_id: z.string(),
  time: z.number(),
  embedding_model: z.string(),
  embedding: z.unknown().transform((value) => Float32Array.from(value as Iterable<number>)),
});

/** Moves the embeddings that version 1 held in the rows into the tables of their models. May be done twice. */
export async function moveEmbeddings(table: Table, { vectors, signal }: MigrationContext): Promise<void> {
  const names = (await table.schema()).fields.map(({ name }) => name);
  if (!names.includes("embedding") || !names.includes("embedding_model")) return;
  const embedded = "embedding IS NOT NULL AND embedding_model IS NOT NULL";
  const expected = await table.countRows(embedded);
  let moved = 0;
  for (let offset = 0; offset < expected; offset += ROWS) {
    const rows: unknown[] = await table
      .query()
      .where(embedded)
      .select(["id", "session_id", "turn_id", "time", "embedding", "embedding_model"])
      .limit(ROWS)
      .offset(offset)
      .toArray();
    for (const [model, own] of byModel(readAll(rows, rowSchema))) {
      const put = await vectors.put(model, own, signal);
      if (!put.ok) throw new Error(put.failure.message);
      moved += put.value;
    }
  }
  if (moved < expected) throw new Error(`${moved} of ${expected} embeddings could be moved`);
}

function byModel(rows: readonly z.infer<typeof rowSchema>[]): Map<string, VectorRow[]> {
  const models = new Map<string, VectorRow[]>();
  for (const row of rows) {
    const own = models.get(row.embedding_model) ?? [];
    own.push({
      id: row.id,
      kind: "episode",
      sessionId: row.session_id,
      turnId: row.turn_id,
      time: row.time,
      scope: "",
      embedding: row.embedding,
    });
    models.set(row.embedding_model, own);
  }
  return models;
}

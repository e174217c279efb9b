import { createHash } from "node:crypto";
import { Field, FixedSizeList, Float32, Schema } from "apache-arrow";
import { z } from "zod";
import { numberField, textField } from "./rows.ts";
import { KINDS, type VectorKind, type VectorRow } from "./vector-row.ts";

/** What the names of tables of embeddings begin with. */
export const PREFIX = "vectors_";
const MODEL_KEY = "conclave.model";
const KIND_KEY = "conclave.kind";

/** What a table of embeddings holds, as its schema says; undefined when it is none. */
export function describe(
  schema: Schema,
): { readonly model: string; readonly kind: VectorKind; readonly dimensions: number } | undefined {
  const model = schema.metadata.get(MODEL_KEY);
  const kind = KINDS.find((each) => each === schema.metadata.get(KIND_KEY));
  const type: unknown = schema.fields.find(({ name }) => name === "embedding")?.type;
  const list = z.object({ listSize: z.int() }).safeParse(type);
  if (model === undefined || kind === undefined || !list.success) return undefined;
  return { model, kind, dimensions: list.data.listSize };
}

/** A name of letters, digits and underscores that no other model or kind has. */
export function tableName(model: string, kind: VectorKind): string {
  const slug = model
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(0, 40);
  const hash = createHash("sha256").update(model).digest("hex").slice(0, 8);
  return `${PREFIX}${slug}_${hash}_${kind}`;
}

/** The columns of a table of embeddings. */
export function vectorColumns(model: string, kind: VectorKind, dimensions: number): Schema {
  const floats = new FixedSizeList(dimensions, new Field("item", new Float32(), true));
  return new Schema(
    [
      textField("id"),
      textField("session_id"),
      textField("turn_id"),
      numberField("time"),
      textField("scope"),
      new Field("embedding", floats, false),
    ],
    new Map([
      [MODEL_KEY, model],
      [KIND_KEY, kind],
    ]),
  );
}

/** An embedding as a row. */
export function toVector(id: string, row: VectorRow): Record<string, unknown> {
  return {
    id,
    session_id: row.sessionId.toWellFormed(),
    turn_id: row.turnId.toWellFormed(),
    time: row.time,
    scope: row.scope.toWellFormed(),
    embedding: Array.from(row.embedding),
  };
}

import { z } from "zod";
import { isJsonObject } from "../../agent/json.ts";
import type { JsonObject } from "../../agent/models/types.ts";

/** What the types of lines begin with that only notebooks read; every other reader passes over them. */
export const NOTEBOOK_TYPES = "notebook.";

/**
 * A cell of a notebook as its line in the log says it. Such lines stand in the order of the cells, and only where that
 * differs from what the log shows by itself: its turns, in order.
 */
export type NotebookEntry =
  /** A turn; `text` where its question was changed since and not asked anew. */
  | { readonly cell: "turn"; readonly turn: string; readonly text?: string }
  /** A question that was not asked yet. */
  | { readonly cell: "question"; readonly text: string }
  | { readonly cell: "markdown"; readonly text: string }
  /** A turn that has no cell any more: its cell was deleted, or asked anew. */
  | { readonly cell: "hidden"; readonly turn: string };

const type = z.literal("notebook.cell");
const turn = z.string().min(1).max(200);
const entry = z.discriminatedUnion("cell", [
  z.looseObject({ type, cell: z.literal("turn"), turn, text: z.string().optional() }),
  z.looseObject({ type, cell: z.literal("question"), text: z.string() }),
  z.looseObject({ type, cell: z.literal("markdown"), text: z.string() }),
  z.looseObject({ type, cell: z.literal("hidden"), turn }),
]);

/** Whether a line is one that only notebooks read, of whatever version. */
export function isNotebookLine(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value["type"] === "string" && value["type"].startsWith(NOTEBOOK_TYPES);
}

/** The cell that a line says; undefined for any other line, and for one that a newer version wrote. */
export function readEntry(value: unknown): NotebookEntry | undefined {
  const parsed = entry.safeParse(value);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  if (data.cell !== "turn") return data;
  return { cell: "turn", turn: data.turn, ...(data.text === undefined ? {} : { text: data.text }) };
}

/** A cell as its line, without the line feed. */
export function entryLine(value: NotebookEntry): string {
  return JSON.stringify({ type: "notebook.cell", ...value }).toWellFormed();
}

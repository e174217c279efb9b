import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Episode } from "../../agent/memory/port.ts";
import { embeddedText } from "../retrieval/texts.ts";
import type { VectorRow, Vectors } from "../store/vectors.ts";
import { editedByIds, type EpisodeTexts } from "./edited-texts.ts";
import type { Embedder } from "./embedder.ts";
import { turnOrder, windowTexts } from "./turn-windows.ts";

/** Most windows that are made anew for one write; what is left has the job in the background make it. */
const MAX_WINDOWS = 500;

/** Where turns are and where their embeddings go. */
export interface TurnTables extends EpisodeTexts {
  readonly vectors: Vectors;
}

/**
 * Embeds turns that have just been written, each alone and with the turns beside it, and once more the windows of the
 * turns before them, which now have something after them. Gives how many vectors were written.
 */
export async function embedTurns(
  tables: TurnTables,
  embedder: Embedder,
  written: readonly Episode[],
  signal: AbortSignal,
): Promise<Result<number>> {
  // Somebody may have written over them already.
  const own = await editedByIds(
    tables,
    written.map(({ id }) => id),
    signal,
  );
  if (!own.ok) return own;
  const alone = await put(tables, embedder, "episode", own.value, own.value.map(embeddedText), signal);
  if (!alone.ok) return alone;
  const order = await turnOrder(
    tables.episodes,
    written.map(({ sessionId }) => sessionId),
    signal,
  );
  if (!order.ok) return order;
  const ids = [...new Set(written.flatMap(({ id }) => order.value.windowsWith(id.toLowerCase())))];
  const touched = await editedByIds(tables, ids.slice(0, MAX_WINDOWS), signal);
  if (!touched.ok) return touched;
  const middles = touched.value;
  const texts = await windowTexts(
    tables,
    middles.map(({ id }) => id),
    order.value,
    signal,
  );
  if (!texts.ok) return texts;
  const windows = await put(tables, embedder, "window", middles, texts.value, signal);
  return windows.ok ? success(alone.value + windows.value) : windows;
}

async function put(
  { episodes, vectors }: TurnTables,
  embedder: Embedder,
  kind: "episode" | "window",
  rows: readonly Episode[],
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Result<number>> {
  const embedded = await embedder.embed(texts, "document", signal);
  if (!embedded.ok) return embedded;
  const made = rows.flatMap(({ id, sessionId, turnId, time, scope = "" }, index): VectorRow[] => {
    const embedding = embedded.value[index];
    return embedding === undefined ? [] : [{ id, kind, sessionId, turnId, time, scope, embedding }];
  });
  return vectors.put(embedder.model, made, signal, (ids, stop) => episodes.present(ids, stop));
}

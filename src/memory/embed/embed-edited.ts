import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Vectors } from "../store/vectors.ts";
import { editedByIds, type EpisodeTexts } from "./edited-texts.ts";
import type { Embedder } from "./embedder.ts";
import { embedTurns } from "./embed-turns.ts";
import { turnOrder } from "./turn-windows.ts";

/** What is needed to embed what was written over. */
export interface EditedParts extends EpisodeTexts {
  readonly vectors: Vectors;
  /** The embedder that is ready now. */
  readonly embedder: () => Embedder | undefined;
}

/**
 * Takes away the embeddings that hold what the user wrote over, of the turns themselves and of the turns beside them,
 * and embeds them anew. Without an embedder that is ready the job in the background does that; until then they are
 * found by their words.
 */
export async function embedEdited(
  parts: EditedParts,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Result<void>> {
  const edited = await editedByIds(parts, ids, signal);
  if (!edited.ok) return edited;
  const sessions = edited.value.map(({ sessionId }) => sessionId);
  const order = await turnOrder(parts.episodes, sessions, signal);
  if (!order.ok) return order;
  const own = edited.value.map(({ id }) => id.toLowerCase());
  const removed = await parts.vectors.remove("episode", own, signal);
  if (!removed.ok) return removed;
  const windows = [...new Set(own.flatMap((id) => [id, ...order.value.windowsWith(id)]))];
  const beside = await parts.vectors.remove("window", windows, signal);
  if (!beside.ok) return beside;
  const embedder = parts.embedder();
  // What fails here is missing now, and the job finds it.
  if (embedder !== undefined) await embedTurns(parts, embedder, edited.value, signal);
  return success(undefined);
}

import { CANCELLED, failed, success, type Result } from "../../agent/failure.ts";
import type { EmbedderOrNote, TextKind } from "./embedder.ts";

/** How long the embedding model may take to load from disk, in milliseconds. */
const PATIENCE_MS = 4_000;

/** Where the embedder comes from, waited for at most so long. */
interface Slot {
  get(patienceMs: number, signal: AbortSignal): Promise<EmbedderOrNote>;
}

/**
 * Embeds texts for somebody outside of memory, as plain numbers: one vector for each, in order. The failure
 * `memory_unavailable` says why there is no embedder now.
 */
export async function embedTexts(
  slot: Slot,
  { texts, kind }: { readonly texts: readonly string[]; readonly kind: TextKind },
  signal: AbortSignal,
): Promise<Result<{ readonly model: string; readonly embeddings: readonly (readonly number[])[] }>> {
  const given = await slot.get(PATIENCE_MS, signal);
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  if ("note" in given) return failed("memory_unavailable", given.note);
  const { embedder } = given;
  const embedded = await embedder.embed(texts, kind, signal);
  if (!embedded.ok) return embedded;
  return success({ model: embedder.model, embeddings: embedded.value.map((vector) => Array.from(vector)) });
}

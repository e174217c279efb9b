import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Embedder } from "./embedder.ts";
import type { EpisodeChanges } from "../store/changes.ts";
import type { EpisodeReader } from "../store/reader.ts";
import type { StoreLock } from "../store/lock.ts";

/** Rows in one write. */
const ROWS = 64;

/** The store as the backfill sees it. */
export interface BackfillStore {
  readonly reader: EpisodeReader;
  readonly changes: EpisodeChanges;
  readonly lock: StoreLock;
}

/**
 * Embeds the rows that were saved without an embedder or with another model, in batches, and gives how many. Ends
 * with the signal, with a failure, or when a batch brings nothing forward.
 */
export async function backfill(
  { reader, changes, lock }: BackfillStore,
  embedder: Embedder,
  signal: AbortSignal,
  onBatch: (done: number) => void = () => undefined,
): Promise<Result<number>> {
  let done = 0;
  while (!signal.aborted) {
    const waiting = await reader.unembedded(embedder.model, ROWS, signal);
    if (!waiting.ok) return waiting;
    if (waiting.value.length === 0) break;
    const embedded = await embedder.embed(
      waiting.value.map(({ text }) => text),
      signal,
    );
    if (!embedded.ok) return embedded;
    const vectors = new Map<string, Float32Array>();
    waiting.value.forEach(({ id }, index) => {
      const vector = embedded.value[index];
      if (vector !== undefined) vectors.set(id, vector);
    });
    const written = await lock.run(() => changes.embed(vectors, embedder.model, signal), signal);
    if (!written.ok || !written.value.ok) return written.ok ? written.value : written;
    if (written.value.value === 0) break;
    done += written.value.value;
    onBatch(done);
  }
  return success(done);
}

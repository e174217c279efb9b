import { ModelSlot, type ModelSource } from "../embed/model-slot.ts";
import type { Reranker, RerankerOrNote } from "./reranker.ts";

/** How a reranker is come by. */
export type RerankerSource = ModelSource<Reranker>;

/** Holds the reranker; see `ModelSlot`. */
export class RerankerSlot {
  readonly #slot: ModelSlot<Reranker>;

  constructor(source: RerankerSource, signal: AbortSignal, now?: () => number) {
    const ways = {
      loading: (how: string) => `Without the reranker for now: its model ${how}.`,
      missing: ({ message }: { readonly message: string }) => `Without the reranker: ${message}`,
    };
    this.#slot = new ModelSlot(source, ways, signal, now);
  }

  /** The reranker, waited for at most so long while it loads from disk; a download is not waited for. */
  async get(patienceMs: number, signal: AbortSignal): Promise<RerankerOrNote> {
    const got = await this.#slot.get(patienceMs, signal);
    return "model" in got ? { reranker: got.model } : got;
  }

  /** Says how far a download is, 0..100. */
  progressed(percent: number): void {
    this.#slot.progressed(percent);
  }
}

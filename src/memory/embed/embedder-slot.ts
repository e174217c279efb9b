import type { FailureCode } from "../../agent/failure.ts";
import type { Embedder, EmbedderOrNote, EmbedderSource } from "./embedder.ts";
import { ModelSlot } from "./model-slot.ts";

/** A server that is not there may be started any moment, and costs little to ask. */
const SERVER_RETRY_MS = 10 * 1_000;
const SERVER_CODES: readonly FailureCode[] = [
  "server_unreachable",
  "server_busy",
  "model_missing",
  "timeout",
];

/** What is known of the embedder at a moment. */
export interface SlotState {
  readonly embedder?: Embedder;
  /** A sentence for people while there is none. */
  readonly note?: string;
}

/** Holds the embedder; see `ModelSlot`. */
export class EmbedderSlot {
  readonly #slot: ModelSlot<Embedder>;

  constructor(
    source: EmbedderSource,
    onReady: (embedder: Embedder) => void,
    signal: AbortSignal,
    now?: () => number,
  ) {
    const ways = {
      loading: (how: string) => `Full-text search only for now: the embedding model ${how}.`,
      missing: ({ message }: { readonly message: string }) => `Full-text search only: ${message}`,
      retryMs: ({ code }: { readonly code: FailureCode }) =>
        SERVER_CODES.includes(code) ? SERVER_RETRY_MS : undefined,
      onReady,
    };
    this.#slot = new ModelSlot(source, ways, signal, now);
  }

  /** What is known now; loads nothing. */
  get state(): SlotState {
    const { model, note } = this.#slot.state;
    return { ...(model !== undefined && { embedder: model }), ...(note !== undefined && { note }) };
  }

  /** The embedder if it is ready; begins to load it if it is not. */
  ready(): Embedder | undefined {
    return this.#slot.ready();
  }

  /** The embedder, waited for at most so long while it loads from disk; a download is not waited for. */
  async get(patienceMs: number, signal: AbortSignal): Promise<EmbedderOrNote> {
    const got = await this.#slot.get(patienceMs, signal);
    return "model" in got ? { embedder: got.model } : got;
  }

  /** Says how far a download is, 0..100. */
  progressed(percent: number): void {
    this.#slot.progressed(percent);
  }
}

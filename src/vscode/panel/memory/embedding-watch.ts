import type { MemoryPort } from "../../../agent/memory/port.ts";
import type { MemoryEmbedding, MemoryHostMessage } from "../../../trace/panel-memory.ts";

/** How often one looks how far it is, in milliseconds. */
const LOOK_EVERY_MS = 2_000;

/** Tells the view how many rows wait for their embedding, for as long as some do. */
export class EmbeddingWatch {
  private readonly memory: Pick<MemoryPort, "status" | "embedding">;
  private readonly post: (message: MemoryHostMessage) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private looking: AbortController | undefined;
  private paused = false;
  private told: MemoryEmbedding = { waiting: 0, paused: false };

  constructor(memory: Pick<MemoryPort, "status" | "embedding">, post: (message: MemoryHostMessage) => void) {
    this.memory = memory;
    this.post = post;
  }

  /** Looks how it stands, and again later while rows wait. */
  async look(): Promise<void> {
    this.stop();
    const looking = new AbortController();
    this.looking = looking;
    const { waiting = 0 } = await this.memory.status(looking.signal);
    if (looking.signal.aborted) return;
    this.tell(waiting);
    if (waiting > 0 && !this.paused) this.timer = setTimeout(() => void this.look(), LOOK_EVERY_MS);
  }

  /** Pauses it, or goes on. Where there is nothing to pause it is at rest already. */
  async set(action: "stop" | "start"): Promise<void> {
    const done = await this.memory.embedding(action, new AbortController().signal);
    if (done.ok) this.paused = action === "stop";
    await this.look();
  }

  /** The page was made anew, and knows nothing yet. */
  wake(): void {
    this.told = { waiting: 0, paused: false };
  }

  /** Looks no more. */
  stop(): void {
    clearTimeout(this.timer);
    this.looking?.abort();
  }

  private tell(waiting: number): void {
    const { paused, told } = this;
    if (told.waiting === waiting && told.paused === paused) return;
    this.told = { waiting, paused };
    this.post({ type: "memory.embedding", embedding: this.told });
  }
}

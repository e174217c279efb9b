import type { Episode, MemoryPort, MemoryQuery, MemorySearch } from "../../../../src/agent/memory/port.ts";
import type { Timer } from "../../../../src/agent/timer.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import type { EmbeddingJobOptions } from "../../../../src/memory/embed/embedding-job.ts";
import { EmbeddingJob } from "../../../../src/memory/embed/embedding-job.ts";
import { episodeSource, windowSource } from "../../../../src/memory/embed/episode-sources.ts";
import { Priority } from "../../../../src/memory/embed/priority.ts";
import type { Store } from "../store-support.ts";
import { episode, later, never, valueOf } from "../support.ts";

/** A moment that the test reaches. */
export interface Moment {
  readonly reached: Promise<void>;
  reach(): void;
}

/** Makes a moment. */
export function moment(): Moment {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return { reached, reach };
}

/** Episodes of one session, one turn after the other. */
export function conversation(count: number, sessionId = "s"): Episode[] {
  return Array.from({ length: count }, (_, index) =>
    episode({
      sessionId,
      turnId: `${sessionId}-${index}`,
      question: `question ${sessionId}${index}`,
      answer: `answer ${sessionId}${index}`,
      time: Date.UTC(2026, 4, 8, 12) + index * 60_000,
    }),
  );
}

/** An embedder that tells of each batch before it answers. */
export function watched(
  embedder: Embedder,
  onBatch: (texts: readonly string[]) => Promise<void> | void,
): Embedder {
  return {
    ...embedder,
    embed: async (texts, kind, signal) => {
      await onBatch(texts);
      return embedder.embed(texts, kind, signal);
    },
  };
}

/** What a job told. */
export interface Told {
  readonly job: EmbeddingJob;
  readonly progress: { readonly message: string; readonly percent: number }[];
  readonly log: string[];
  readonly priority: Priority;
}

/** A job over the episodes and windows of a store, closed after the test. Its waits end at once when `timer` says so. */
export function jobOn(store: Store, options: Partial<EmbeddingJobOptions> = {}): Told {
  const progress: Told["progress"] = [];
  const log: string[] = [];
  const priority = new Priority();
  const job = new EmbeddingJob({
    vectors: store.vectors,
    sources: [episodeSource(store), windowSource(store)],
    priority,
    lock: store.database.lockNamed("embedding.lock"),
    onProgress: (told) => progress.push(told),
    onLog: (line) => log.push(line),
    ...options,
  });
  later(() => job.close());
  return { job, progress, log, priority };
}

/** A timer whose waits the test ends. */
export function handTimer(): { readonly timer: Timer; readonly waits: number[]; readonly end: () => void } {
  const waits: number[] = [];
  let fires: (() => void)[] = [];
  const timer: Timer = (ms, fire) => {
    waits.push(ms);
    fires.push(fire);
    return () => (fires = fires.filter((each) => each !== fire));
  };
  return { timer, waits, end: () => fires.splice(0).forEach((fire) => fire()) };
}

/** What a search finds once what was written is embedded: that happens after the write. */
export async function foundSoon(memory: MemoryPort, query: MemoryQuery): Promise<MemorySearch> {
  for (;;) {
    const found = valueOf(await memory.search(query, never));
    if (found.hits.length > 0) return found;
  }
}

import type { Emitter } from "./emitter.ts";
import { describeError } from "./failure.ts";
import type { MemoryPort } from "./memory-port.ts";
import type { ChatMessage } from "./models/types.ts";
import { memoryMessage } from "./prompt.ts";
import { raceAbort, type Timer } from "./timer.ts";

/** Memories that go into the prompt of a model without tools. */
const MAX_MEMORIES = 5;

/** The answer does not wait longer than this for memory, in milliseconds. */
const MEMORY_TIMEOUT_MS = 20_000;

/** What `recall` works with. */
export interface RecallDeps {
  readonly memory: MemoryPort | undefined;
  readonly emitter: Emitter;
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

/**
 * What memory finds for the question, as a message for the prompt; nothing when it finds nothing or is not there. When
 * memory fails, a warning says so and the turn goes on. Never throws.
 */
export async function recall(
  question: string,
  excludeTurnIds: readonly string[],
  { memory, emitter, signal, timer }: RecallDeps,
): Promise<ChatMessage | undefined> {
  if (memory === undefined) return undefined;
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener("abort", stop, { once: true });
  const cancelTimer = timer(MEMORY_TIMEOUT_MS, stop);
  const query = { query: question, limit: MAX_MEMORIES, excludeTurnIds };
  const raced = await raceAbort(own.signal, () => memory.search(query, own.signal));
  cancelTimer();
  signal.removeEventListener("abort", stop);
  if (signal.aborted) return undefined;
  if (raced.kind === "value" && raced.value.ok) return memoryMessage(raced.value.value.hits);
  const reason =
    raced.kind === "value" && !raced.value.ok
      ? raced.value.failure.message
      : raced.kind === "thrown"
        ? describeError(raced.error)
        : `It gave nothing within ${MEMORY_TIMEOUT_MS / 1000} s.`;
  emitter.warn("memory_unavailable", `The answer does without memory. ${reason}`);
  return undefined;
}

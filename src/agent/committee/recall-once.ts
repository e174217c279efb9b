import type { Result } from "../failure.ts";
import { memoryOver } from "../memory/over.ts";
import type { MemoryPort } from "../memory/port.ts";

/** Questions whose answers are kept in one turn. */
const MAX_KEPT = 64;

/**
 * Memory as a committee's speakers are given it: what was found once for a question is found again, byte for byte, for
 * all others of the turn, whatever is learnt meanwhile. So their prompts begin alike. Failures are not kept.
 */
export function recallOnce(memory: MemoryPort): MemoryPort {
  const search = once((query: Parameters<MemoryPort["search"]>[0], signal) => memory.search(query, signal));
  const card = once((query: Parameters<MemoryPort["card"]>[0], signal) => memory.card(query, signal));
  return memoryOver(memory, { search, card });
}

type Asked<Q, T> = (query: Q, signal: AbortSignal) => Promise<Result<T>>;

function once<Q, T>(ask: Asked<Q, T>): Asked<Q, T> {
  const kept = new Map<string, Result<T>>();
  return async (query, signal) => {
    const key = JSON.stringify(query);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = await ask(query, signal);
    if (found.ok && kept.size < MAX_KEPT) kept.set(key, found);
    return found;
  };
}

import { LRUCache } from "lru-cache";

/** Sessions and models whose tools are known. */
const MAX_LISTS = 200;

/**
 * Which tools a model was told of in a session. Tools stand at the front of a prompt: a list that changed with every
 * question would have the server read the whole conversation anew each time, so it only grows.
 */
export class OfferedTools {
  readonly #names = new LRUCache<string, ReadonlySet<string>>({ max: MAX_LISTS });

  of(sessionId: string, model: string): ReadonlySet<string> {
    return this.#names.get(keyOf(sessionId, model)) ?? new Set();
  }

  add(sessionId: string, model: string, names: readonly string[]): void {
    this.#names.set(keyOf(sessionId, model), new Set([...this.of(sessionId, model), ...names]));
  }
}

function keyOf(sessionId: string, model: string): string {
  return `${sessionId} ${model}`;
}

import { LRUCache } from "lru-cache";
import type { Lesson } from "./loop-types.ts";
import type { Capability } from "./models/types.ts";

/** Models whose lessons are kept. */
const MAX_MODELS = 64;

/**
 * What servers' errors taught about models. It holds as long as the server says the same of the model's capabilities:
 * a model that was pulled anew gets its chance.
 */
export interface ModelLessons {
  of(model: string, capabilities: readonly Capability[] | undefined): Lesson;
  add(model: string, capabilities: readonly Capability[] | undefined, lesson: Lesson): void;
}

/** An empty, bounded memory of lessons. */
export function createModelLessons(): ModelLessons {
  const lessons = new LRUCache<string, Lesson>({ max: MAX_MODELS });
  const key = (model: string, capabilities: readonly Capability[] = []): string =>
    `${model} ${capabilities.join(",")}`;
  return {
    of: (model, capabilities) => lessons.get(key(model, capabilities)) ?? {},
    add: (model, capabilities, lesson) => {
      const known = lessons.get(key(model, capabilities));
      lessons.set(key(model, capabilities), { ...known, ...lesson });
    },
  };
}

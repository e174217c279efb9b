import { LRUCache } from "lru-cache";
import type { Lesson } from "./loop-types.ts";
import type { Capability } from "./models/types.ts";

/** Models whose lessons are kept. */
const MAX_MODELS = 64;

/**
 * What was learnt about models, mostly from servers' errors. That holds as long as the server says the same of the model's capabilities:
 * a model that was pulled anew gets its chance.
 */
export interface ModelLessons {
  of(model: string, capabilities: readonly Capability[] | undefined): Lesson;
  add(model: string, capabilities: readonly Capability[] | undefined, lesson: Lesson): void;
  /** Notes the context length that a model is now used with, and gives the last one. */
  contextLength(model: string, now: number): number | undefined;
}

/** An empty, bounded memory of lessons. */
export function createModelLessons(): ModelLessons {
  const lessons = new LRUCache<string, Lesson>({ max: MAX_MODELS });
  const contextLengths = new LRUCache<string, number>({ max: MAX_MODELS });
  const key = (model: string, capabilities: readonly Capability[] = []): string =>
    `${model} ${capabilities.join(",")}`;
  return {
    of: (model, capabilities) => lessons.get(key(model, capabilities)) ?? {},
    add: (model, capabilities, lesson) => {
      const known = lessons.get(key(model, capabilities));
      lessons.set(key(model, capabilities), { ...known, ...lesson });
    },
    contextLength: (model, now) => {
      const before = contextLengths.get(model);
      contextLengths.set(model, now);
      return before;
    },
  };
}

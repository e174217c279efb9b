import { LRUCache } from "lru-cache";
import { Calibration, type CountedPrompt, type KeptCalibrations } from "./budget/calibration.ts";
import type { Lesson } from "./loop/types.ts";
import type { Capability } from "./models/types.ts";

/** Models whose lessons are kept. */
const MAX_MODELS = 64;

/**
 * What was learnt about models, mostly from servers' errors. That holds as long as the server says the same of the
 * model's capabilities: a model that was pulled anew gets its chance.
 */
export interface ModelLessons {
  of(model: string, capabilities: readonly Capability[] | undefined): Lesson;
  add(model: string, capabilities: readonly Capability[] | undefined, lesson: Lesson): void;
  /** Notes the context length that a model is now used with, and gives the last one. */
  contextLength(model: string, now: number): number | undefined;
  /** Tokens that its server counts for one of the plain estimate; before it counted any what was kept, or 1. */
  calibration(model: string): number;
  /** Takes what its server counted for a prompt; tells whether it looks as if the prompt had been cut there. */
  counted(model: string, prompt: CountedPrompt): { readonly truncated: boolean };
  /** Its server refused a prompt as too long that was thought to fit. */
  refused(model: string, prompt: Omit<CountedPrompt, "counted">): void;
}

/** An empty, bounded memory of lessons; of how servers count it begins with what was kept, where something was. */
export function createModelLessons(kept?: KeptCalibrations): ModelLessons {
  const lessons = new LRUCache<string, Lesson>({ max: MAX_MODELS });
  const contextLengths = new LRUCache<string, number>({ max: MAX_MODELS });
  const calibrations = new LRUCache<string, Calibration>({ max: MAX_MODELS });
  const calibrationOf = (model: string): Calibration => {
    let known = calibrations.get(model);
    if (known === undefined) {
      known = new Calibration(kept?.of(model));
      calibrations.set(model, known);
    }
    return known;
  };
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
      if (before !== now) contextLengths.set(model, now);
      return before;
    },
    calibration: (model) => calibrationOf(model).ratio,
    counted: (model, prompt) => {
      const calibration = calibrationOf(model);
      const taken = calibration.add(prompt);
      if (!taken.truncated) kept?.keep(model, calibration.ratio);
      return taken;
    },
    refused: (model, prompt) => calibrationOf(model).refused(prompt),
  };
}

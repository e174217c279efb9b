import { z } from "zod";
import type { KeptCalibrations } from "../../agent/budget/calibration.ts";

const KEY = "conclave.models.calibrations";
/** Models that are kept; the one that was not used for longest leaves first. */
const MAX_MODELS = 64;
/** A smaller step than this, as a part of what is kept, is not worth a write. */
const STEP = 0.02;

const Kept = z.record(z.string(), z.number());

/** Where something outlives the window: a part of the editor's `Memento`. */
export interface KeptState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** How models' servers count tokens, over restarts. A storage that fails costs what it was to keep, and no more. */
export function keptCalibrations(state: KeptState): KeptCalibrations {
  const all = (): Readonly<Record<string, number>> => {
    const kept = Kept.safeParse(state.get(KEY));
    return kept.success ? kept.data : {};
  };
  return {
    of: (model) => new Map(Object.entries(all())).get(model),
    keep: (model, ratio) => {
      const entries = Object.entries(all());
      const known = new Map(entries).get(model);
      if (known !== undefined && Math.abs(ratio - known) < known * STEP) return;
      const others = entries.filter(([name]) => name !== model);
      const rounded = Math.round(ratio * 1_000) / 1_000;
      const kept = Object.fromEntries([...others, [model, rounded] as const].slice(-MAX_MODELS));
      state.update(KEY, kept).then(undefined, () => undefined);
    },
  };
}

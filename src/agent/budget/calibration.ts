/** Counts that are kept of a model: the newest. */
const MAX_SAMPLES = 15;

/** Tokens of the server for one of the plain estimate: what lies outside is no tokenizer but a wrong count. */
const LEAST = 0.4;
const MOST = 3;

/** A prompt whose count is less than this part of what was expected was cut by the server. */
const CUT_PART = 0.6;

/** Shorter prompts than this, in estimated tokens, say little: the template's own words weigh too much in them. */
const SHORTEST = 64;

/** Only longer prompts than this can have been cut by a server, whatever its own context is. */
const SHORTEST_CUT = 1_000;

/** No server keeps less than this of a prompt. */
const LEAST_KEPT = 256;

/** One request: what it was thought to take, and what the server counted. */
export interface CountedPrompt {
  /** In plain estimated tokens, tools included. */
  readonly estimate: number;
  readonly counted: number;
  /** The `num_ctx` that was asked for. */
  readonly contextLength: number;
}

interface Sample {
  readonly ratio: number;
  readonly weight: number;
}

/** Where what was learnt about models' tokens outlives the process. Must not throw. */
export interface KeptCalibrations {
  /** What was kept for a model last: tokens of the server for one of the plain estimate. */
  of(model: string): number | undefined;
  keep(model: string, ratio: number): void;
}

/**
 * How many tokens a model's server counts for one of the plain estimate: the median of the newest counts, long prompts
 * weighing more. Counts of prompts that the server cut are left out.
 */
export class Calibration {
  #samples: readonly Sample[] = [];
  /** The median of the samples. */
  #counted: number | undefined;
  readonly #before: number;

  /** `before`: what was found out earlier, for as long as nothing was counted; what can't be is not taken. */
  constructor(before = 1) {
    this.#before = before >= LEAST && before <= MOST ? before : 1;
  }

  /** What was found out earlier, or 1, before anything was counted; within 0.4 and 3. */
  get ratio(): number {
    return this.#counted ?? this.#before;
  }

  /** Takes what a server counted; tells whether it looks as if the server had cut the prompt. */
  add(prompt: CountedPrompt): { readonly truncated: boolean } {
    if (this.#wasCut(prompt)) return { truncated: true };
    const ratio = prompt.counted / prompt.estimate;
    if (prompt.estimate >= SHORTEST && ratio >= LEAST && ratio <= MOST) {
      this.#keep({ ratio, weight: prompt.estimate });
    }
    return { truncated: false };
  }

  /** The server refused a prompt as too long that was thought to fit: it takes more than was thought. */
  refused({ estimate, contextLength }: Omit<CountedPrompt, "counted">): void {
    const ratio = Math.min(MOST, contextLength / Math.max(1, estimate));
    if (!(ratio > this.ratio)) return;
    // It counts as much as all others together: they were wrong about the newest prompt.
    const weight = this.#samples.reduce((sum, sample) => sum + sample.weight, 0) + 1;
    this.#keep({ ratio, weight });
  }

  #keep(sample: Sample): void {
    this.#samples = [...this.#samples, sample].slice(-MAX_SAMPLES);
    this.#counted = medianOf(this.#samples);
  }

  #wasCut({ estimate, counted, contextLength }: CountedPrompt): boolean {
    if (counted >= contextLength) return true;
    // Of a model that was pulled anew the earlier ratio may be far off: a cut is not told by it.
    const expected = estimate * (this.#counted ?? 1);
    if (expected < SHORTEST_CUT || counted < LEAST_KEPT) return false;
    const isHalf = Math.abs(counted - contextLength / 2) <= contextLength / 50;
    return counted < expected * CUT_PART || (isHalf && expected > contextLength * 0.9);
  }
}

function medianOf(samples: readonly Sample[]): number | undefined {
  const sorted = [...samples].sort((one, other) => one.ratio - other.ratio);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  for (const { ratio, weight } of sorted) {
    passed += weight;
    if (passed >= half) return ratio;
  }
  return undefined;
}

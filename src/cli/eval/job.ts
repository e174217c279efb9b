import type { Configuration } from "./configurations.ts";
import type { EvalCase } from "./case/types.ts";

/** One case in one configuration, once. */
export interface RunJob {
  readonly case: EvalCase;
  readonly configuration: Configuration;
  /** From 1. */
  readonly repeat: number;
  readonly seed: number;
}

import type { GradeOutcome, PairOutcome } from "../../../agent/critic/types.ts";
import type { GradedItem, PairItem } from "./labelled-set.ts";

/** An item with what the judge made of it. */
export interface JudgedGrade {
  readonly item: GradedItem;
  readonly outcome: GradeOutcome;
}

/** A pair with what the judge made of it. */
export interface JudgedPair {
  readonly item: PairItem;
  readonly outcome: PairOutcome;
}

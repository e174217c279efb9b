import type { CheckCell } from "./cells.ts";

/** A question of one word with what the model said to it, as every view and export says it: `Is it? no (12 %)`. */
export function checkWords({ check: { question, likelihood, from } }: CheckCell): string {
  if (likelihood === undefined) return `${question} -`;
  return `${question} ${likelihood >= from ? "yes" : "no"} (${percent(likelihood)})`;
}

/** How likely something is, from 0 to 1, as people read it. */
export function percent(likelihood: number): string {
  return `${Math.round(likelihood * 100)} %`;
}

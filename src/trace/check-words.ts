import type { CheckCell } from "./cells.ts";

/** What a model said to a question of one word, as every view and export says it: `no (12 %)`. */
export function checkAnswer({ likelihood, from }: Pick<CheckCell, "likelihood" | "from">): string {
  if (likelihood === undefined) return "neither yes nor no";
  return `${likelihood >= from ? "yes" : "no"} (${percent(likelihood)})`;
}

/** The question with what the model said to it. */
export function checkWords(cell: Pick<CheckCell, "question" | "likelihood" | "from">): string {
  return `${cell.question} ${checkAnswer(cell)}`;
}

/** How likely something is, from 0 to 1, as people read it. */
export function percent(likelihood: number): string {
  return `${Math.round(likelihood * 100)} %`;
}

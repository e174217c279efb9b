import { cutAtGrapheme } from "../../agent/text.ts";
import { cellsInOrder, type TurnModel } from "../model.ts";
import { oneLine } from "../text.ts";

/** Longer answers are cut in what stands in for a drawing, in UTF-16 units. */
const ANSWER_LIMIT = 20_000;
const MAX_STEPS = 40;
const LINE = 160;

/** Signs that would be markup, taken for what they are. */
function plain(text: string): string {
  return oneLine(text, LINE).replace(/[\\`*_[\]<>#|~]/g, "\\$&");
}

function stepsOf(turn: TurnModel): readonly string[] {
  const lines = cellsInOrder(turn).flatMap((cell) => {
    switch (cell.kind) {
      case "tool":
        return [`- ${plain(cell.name)}: ${plain(cell.error?.message ?? cell.details?.summary ?? "")}`];
      case "round":
        return [`- round ${cell.index}`];
      case "warning":
        return [`- warning: ${plain(cell.message)}`];
      default:
        return [];
    }
  });
  if (lines.length <= MAX_STEPS) return lines;
  return [...lines.slice(0, MAX_STEPS), `- and ${lines.length - MAX_STEPS} more`];
}

function standing(turn: TurnModel): string {
  const { status, error, inputTokens, outputTokens, durationMs, grade, pairwise } = turn;
  const parts = [
    error === undefined ? status : `${status}: ${plain(error.message)}`,
    ...(durationMs === undefined ? [] : [`${(durationMs / 1_000).toFixed(1)} s`]),
    `${inputTokens} tokens in, ${outputTokens} out`,
    ...(grade === undefined ? [] : [`grade ${grade.score ?? "none"}`]),
    ...(pairwise === undefined ? [] : [`A against B: ${pairwise.winner ?? "a tie"}`]),
  ];
  return parts.join(" · ");
}

/** A turn as markdown, for where nobody draws it: the answer, what was done for it, how it stands. */
export function turnMarkdown(turn: TurnModel): string {
  const answer = cutAtGrapheme(turn.answer, ANSWER_LIMIT);
  const cut = answer.length < turn.answer.length ? "\n\n*(cut)*" : "";
  return [answer + cut, stepsOf(turn).join("\n"), standing(turn)].filter((part) => part !== "").join("\n\n");
}

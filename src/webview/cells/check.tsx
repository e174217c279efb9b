import type { VNode } from "preact";
import type { CheckCell } from "../../trace/cells.ts";
import { checkWords, percent } from "../../trace/check-words.ts";
import type { TurnModel } from "../../trace/model.ts";
import { count, oneLine } from "../format.ts";

/** What the model was asked, what it said, and of which memory, on one line. */
export function checkSummary(turn: TurnModel, cell: CheckCell): string {
  const about = memoryOf(turn, cell);
  return about === undefined ? checkWords(cell) : `${checkWords(cell)} · ${oneLine(about)}`;
}

/** How a question of one word was decided, and what it cost. */
export function CheckBody({ turn, cell }: { readonly turn: TurnModel; readonly cell: CheckCell }): VNode {
  const { likelihood, from, inputTokens, outputTokens = 0 } = cell;
  const about = memoryOf(turn, cell);
  return (
    <>
      <p>
        {likelihood === undefined
          ? "The model said neither yes nor no; the turn went on as if it had not been asked."
          : `The model found a yes ${percent(likelihood)} likely; from ${percent(from)} on that is taken for one.`}
      </p>
      {about === undefined ? null : <blockquote>{about}</blockquote>}
      {inputTokens === undefined ? null : (
        <p class="dim">
          {count(inputTokens)} in / {count(outputTokens)} out
        </p>
      )}
    </>
  );
}

/** The memory that was asked about, as the context card tells it. */
function memoryOf({ card }: TurnModel, { episodeId }: CheckCell): string | undefined {
  return episodeId === undefined ? undefined : card?.parts.find(({ id }) => id === episodeId)?.text;
}

import type { VNode } from "preact";
import type { CheckCell } from "../../trace/cells.ts";
import { checkWords, percent } from "../../trace/check-words.ts";
import type { TurnModel } from "../../trace/model.ts";
import { oneLine } from "../format.ts";

/** What the model was asked, what it said, and of which memory, on one line. */
export function checkSummary(turn: TurnModel, cell: CheckCell): string {
  const about = memoryOf(turn, cell);
  return about === undefined ? checkWords(cell) : `${checkWords(cell)} · ${oneLine(about)}`;
}

/** Of which memory, and from when a yes counts. */
export function CheckBody({ turn, cell }: { readonly turn: TurnModel; readonly cell: CheckCell }): VNode {
  const { question, from } = cell.check;
  return (
    <>
      <p>{memoryOf(turn, cell) ?? question}</p>
      <p class="dim">{`${percent(from)} and more is a yes`}</p>
    </>
  );
}

/** The memory that was asked about, as the context card tells it. */
function memoryOf({ card }: TurnModel, { check: { episodeId } }: CheckCell): string | undefined {
  return episodeId === undefined ? undefined : card?.parts.find(({ id }) => id === episodeId)?.text;
}

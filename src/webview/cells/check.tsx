import type { VNode } from "preact";
import type { CheckCell } from "../../trace/cells.ts";
import { percent } from "../../trace/check-words.ts";
import { count } from "../format.ts";

/** How a question of one word was decided, and what it cost. */
export function CheckBody({ cell }: { readonly cell: CheckCell }): VNode {
  const { likelihood, from, inputTokens, outputTokens = 0 } = cell;
  return (
    <>
      <p>
        {likelihood === undefined
          ? "The model said neither yes nor no; the turn went on as if it had not been asked."
          : `The model found a yes ${percent(likelihood)} likely; from ${percent(from)} on that is taken for one.`}
      </p>
      {inputTokens === undefined ? null : (
        <p class="dim">
          {count(inputTokens)} in / {count(outputTokens)} out
        </p>
      )}
    </>
  );
}

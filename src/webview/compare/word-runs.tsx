import type { VNode } from "preact";
import type { WordRun } from "../../trace/word-diff.ts";

/**
 * A text with what another one lacks marked in it, by a line and a colour: `removed` for the text before, `added` for
 * the one after, both for the change in one text.
 */
export function WordRuns(props: {
  readonly runs: readonly WordRun[];
  readonly show: "removed" | "added" | "both";
}): VNode {
  const { runs, show } = props;
  const shown = runs.filter(({ kind }) => kind === "same" || show === "both" || kind === show);
  return (
    <div class="word-runs">
      {shown.map(({ kind, text }, index) =>
        kind === "same" ? (
          <span key={index}>{text}</span>
        ) : kind === "removed" ? (
          <del key={index}>{text}</del>
        ) : (
          <ins key={index}>{text}</ins>
        ),
      )}
    </div>
  );
}

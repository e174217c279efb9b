import type { VNode } from "preact";
import { ASKED_WORDS, JUDGE_WORDS, ungradedWords, whyUngraded } from "../../trace/judged-words.ts";
import type { Grade, Judging } from "../../trace/judgements.ts";
import { Markdown } from "../cells/markdown.tsx";
import { count, duration, tokenCount, when } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";

/** How a judgement came about, in a few words. */
export function howWords(by: Judging & { readonly model: string }): readonly string[] {
  const { judge, rubric, durationMs, attempts = 1, askedBy } = by;
  const tokens = (by.inputTokens ?? 0) + (by.outputTokens ?? 0);
  return [
    ...(by.model === "" ? [] : [judge === undefined ? by.model : `${by.model}, ${JUDGE_WORDS[judge]}`]),
    ...(rubric === undefined ? [] : [`rubric ${rubric}`]),
    ...(durationMs === undefined ? [] : [duration(durationMs)]),
    ...(attempts > 1 ? [`${count(attempts)} requests`] : []),
    ...(tokens > 0 ? [tokenCount(tokens)] : []),
    ...(askedBy === undefined ? [] : [ASKED_WORDS[askedBy]]),
  ];
}

/** The samples of a grade and how far they lie apart; nothing where there was one. */
export function spreadWords({ scores, spread }: Pick<Grade, "scores" | "spread">): string {
  if (scores === undefined || scores.length < 2) return "";
  const each = scores.map((score) => score ?? "none").join(", ");
  return `samples ${each}${spread === undefined ? "" : ` · spread ${count(spread)}`}`;
}

/** Said where a judge may like its own. */
export function FamilyWarning({ family }: { readonly family: string | undefined }): VNode | null {
  if (family === undefined) return null;
  return (
    <p class="judge-warning">
      <Icon name="warning" tone="warning" /> Judge and writer are of one family ({family}): a judge tends to
      like what is like itself.
    </p>
  );
}

/** What a judge said where nothing could be read from it: as it stands, never as a grade. */
export function RawWords({ raw, error }: Pick<Judging, "raw" | "error">): VNode | null {
  if (raw === undefined && error === undefined) return null;
  return (
    <>
      {error === undefined ? null : (
        <p class="tone-error">
          <Icon name="error" tone="error" /> {error.message}
        </p>
      )}
      {raw === undefined ? null : (
        <details class="judge-raw">
          <summary>What the judge said, as it stands</summary>
          <pre tabIndex={0} role="region" aria-label="What the judge said">
            {raw}
          </pre>
        </details>
      )}
    </>
  );
}

/** All there is to a grade: the words, who gave it and how, who put it right. */
export function GradeDetails({ store, grade }: { readonly store: Store; readonly grade: Grade }): VNode {
  const { corrected, given, feedback, model } = grade;
  const spread = spreadWords(grade);
  const how = [...howWords(grade), ...(spread === "" ? [] : [spread])];
  return (
    <div class="grade-details">
      {feedback === "" ? null : (
        <div class="grade-said">
          <Markdown text={feedback} complete />
        </div>
      )}
      {grade.score === null && corrected === undefined ? (
        <p class="dim">{ungradedWords(whyUngraded(grade))}</p>
      ) : null}
      {corrected === undefined ? null : (
        <p>
          {given === undefined ? "graded" : `${given.score ?? "no grade"} by the critic, corrected`} by{" "}
          {corrected.by}, {when(corrected.time, store.now())}: {corrected.reason}
        </p>
      )}
      <RawWords {...(given ?? grade)} />
      <FamilyWarning family={grade.sameFamily} />
      {model === "" ? null : (
        <p class="dim judge-how">
          {[...how, ...(grade.reference === true ? ["beside a reference answer"] : [])].join(" · ")}
          {how.length === 0 ? "" : ". "}A grade is an opinion, not a proof.
        </p>
      )}
    </div>
  );
}

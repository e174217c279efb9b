import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Grade } from "../../trace/judgements.ts";
import { MAX_NOTE } from "../../trace/panel-limits.ts";
import { when } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import type { Judged } from "./thumbs.tsx";

const SCORES = [1, 2, 3, 4, 5] as const;

/** A grade in its badge; none is said in words and is no number. */
export function GradeBadge({ score }: { readonly score: number | null }): VNode {
  return score === null ? <span class="grade none">ungraded</span> : <span class="grade">{score}/5</span>;
}

/** What a critic said of an answer, who put the grade right, and the way to do so. */
export function GradeLine(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly grade: Grade | undefined;
  readonly of?: string;
}): VNode | null {
  const { store, on, grade } = props;
  const [open, setOpen] = useState(false);
  if (store.readOnly && grade === undefined) return null;
  const of = props.of === undefined ? "" : ` of ${props.of}`;
  const correct = (score: number | null, reason: string) => {
    setOpen(false);
    store.send({ type: "grade", ...on, score, reason });
  };
  return (
    <div class="grade-line">
      {grade === undefined ? null : <Said store={store} grade={grade} />}
      {store.readOnly ? null : (
        <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name="edit" /> {grade === undefined ? "Grade it" : "Correct the grade"}
          <span class="sr-only">{of}</span>
        </button>
      )}
      {open ? (
        <Correction score={grade?.score ?? null} onDone={correct} onClose={() => setOpen(false)} />
      ) : null}
    </div>
  );
}

function Said({ store, grade }: { readonly store: Store; readonly grade: Grade }): VNode {
  const { corrected, given } = grade;
  return (
    <>
      {grade.feedback === "" ? null : (
        <span class="grade-said" title={grade.model}>
          {grade.feedback}
        </span>
      )}
      {corrected === undefined ? null : (
        <span class="dim">
          {given === undefined ? "graded" : `${given.score ?? "no grade"} by the critic, corrected`} by{" "}
          {corrected.by}, {when(corrected.time, store.now())}: {corrected.reason}
        </span>
      )}
    </>
  );
}

/** Asks for another grade and the reason for it; both are kept in the trace. */
function Correction(props: {
  readonly score: number | null;
  readonly onDone: (score: number | null, reason: string) => void;
  readonly onClose: () => void;
}): VNode {
  const [score, setScore] = useState(props.score);
  const [reason, setReason] = useState("");
  const ready = reason.trim() !== "";
  return (
    <form
      class="correction"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) props.onDone(score, reason.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        props.onClose();
      }}
    >
      <select
        aria-label="Grade"
        value={score ?? ""}
        onChange={({ currentTarget: { value } }) => setScore(value === "" ? null : Number(value))}
      >
        <option value="">no grade</option>
        {SCORES.map((one) => (
          <option key={one} value={one}>
            {one} of 5
          </option>
        ))}
      </select>
      <input
        type="text"
        class="note-field"
        aria-label="Reason for the grade"
        placeholder="Why? It is kept with the grade"
        maxLength={MAX_NOTE}
        value={reason}
        onInput={({ currentTarget: { value } }) => setReason(value)}
      />
      <button type="submit" class="secondary" disabled={!ready}>
        Keep
      </button>
    </form>
  );
}

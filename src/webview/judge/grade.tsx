import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Grade } from "../../trace/judgements.ts";
import { MAX_NOTE } from "../../trace/panel-limits.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { CriticButtons } from "./ask-critic.tsx";
import { GradeDetails } from "./details.tsx";
import type { Judged } from "./thumbs.tsx";

const SCORES = [1, 2, 3, 4, 5] as const;

/**
 * What a critic said of an answer, who put the grade right, and the ways to another one: by hand, and by the critic
 * where there is one. `folded`: the words show when they are asked for, where there is little room.
 */
export function GradeLine(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly grade: Grade | undefined;
  readonly of?: string;
  readonly folded?: boolean;
}): VNode | null {
  const { store, on, grade } = props;
  if (store.readOnly && grade === undefined) return null;
  const of = props.of === undefined ? "" : ` of ${props.of}`;
  const said = grade === undefined ? null : <GradeDetails store={store} grade={grade} />;
  return (
    <div class="grade-line">
      {props.folded === true && said !== null ? (
        <details class="grade-why">
          <summary>
            Why<span class="sr-only"> the grade{of}</span>
          </summary>
          {said}
        </details>
      ) : (
        said
      )}
      <CorrectGrade store={store} on={on} score={grade?.score} of={of} />
      <CriticButtons store={store} on={on} of={of} graded={grade !== undefined} />
    </div>
  );
}

/** The way to put a grade right by hand; `score` is undefined where there is none yet. */
export function CorrectGrade(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly score: number | null | undefined;
  /** Whose answer it is, for those who listen. */
  readonly of: string;
}): VNode | null {
  const { store, on, score, of } = props;
  if (store.readOnly) return null;
  const key = `grade ${on.turnId} ${on.agentId ?? ""}`;
  const open = store.folds.isOpened(key);
  const setOpen = (to: boolean) => {
    store.fold(key, to);
    if (!to) store.type(key, undefined);
  };
  const correct = (to: number | null, reason: string) => {
    setOpen(false);
    store.send({ type: "grade", ...on, score: to, reason });
  };
  return (
    <>
      <button type="button" class="quiet" data-correct="" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="edit" /> {score === undefined ? "Grade it" : "Correct the grade"}
        <span class="sr-only">{of}</span>
      </button>
      {open ? (
        <Correction
          score={score ?? null}
          reason={store.typed.get(key) ?? ""}
          onType={(reason) => store.type(key, reason)}
          onDone={correct}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

/** Asks for another grade and the reason for it; both are kept in the trace. */
function Correction(props: {
  readonly score: number | null;
  readonly reason: string;
  readonly onType: (reason: string) => void;
  readonly onDone: (score: number | null, reason: string) => void;
  readonly onClose: () => void;
}): VNode {
  const { reason } = props;
  const [score, setScore] = useState(props.score);
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
        onInput={({ currentTarget: { value } }) => props.onType(value)}
      />
      <button type="submit" class="secondary" disabled={!ready}>
        Keep
      </button>
    </form>
  );
}

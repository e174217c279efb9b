import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { MAX_REFERENCE } from "../../trace/panel-limits.ts";
import type { Store } from "../store.ts";
import { FormTexts } from "./form-texts.ts";
import type { Judged } from "./thumbs.tsx";

/** Has an answer graded by a rubric of the user's choice, beside a reference answer where there is one. */
export function GradeByButton(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly of: string;
}): VNode {
  const { store, on, of } = props;
  const key = `grade-by ${on.turnId}`;
  const open = store.folds.isOpened(key);
  const texts = new FormTexts(store, key, ["rubric", "reference"]);
  const setOpen = (to: boolean) => {
    store.fold(key, to);
    if (!to) texts.clear();
  };
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        title="Has the answer graded by another rubric, or beside an answer that is known to be good"
      >
        Grade by …<span class="sr-only">{of}</span>
      </button>
      {open ? <GradeForm {...{ store, on, texts }} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function GradeForm(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly texts: FormTexts<"rubric" | "reference">;
  readonly onClose: () => void;
}): VNode {
  const { store, on, texts, onClose } = props;
  const { rubric, reference } = texts.values;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("select")?.focus(), []);
  return (
    <form
      ref={form}
      class="correction"
      aria-label="What the answer is graded by"
      onSubmit={(event) => {
        event.preventDefault();
        store.critic.grade(on, { rubric, reference });
        onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <select
        aria-label="Rubric"
        value={rubric}
        onChange={({ currentTarget: { value } }) => texts.set("rubric", value)}
      >
        <option value="">rubric, as usual</option>
        {store.critic.state?.rubrics.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <textarea
        class="note-field"
        rows={1}
        aria-label="Reference answer, worth a 5; left empty: none"
        placeholder="reference answer, if there is one"
        maxLength={MAX_REFERENCE}
        value={reference}
        onInput={({ currentTarget: { value } }) => texts.set("reference", value)}
      />
      <button type="submit" class="secondary">
        Grade
      </button>
    </form>
  );
}

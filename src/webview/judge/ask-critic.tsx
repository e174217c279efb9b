import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { TurnModel } from "../../trace/model.ts";
import { Icon } from "../icon.tsx";
import type { ShownCell } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import type { Asked } from "./critic-state.ts";
import { FormTexts } from "./form-texts.ts";
import { GradeByButton } from "./grade-form.tsx";
import type { Judged } from "./thumbs.tsx";

function waitWords(what: string, asked: Asked): string {
  if (asked === "running") return `${what} …`;
  return asked === 0 ? `${what} is next` : `${what} waits behind ${asked}`;
}

/** Has the critic grade an answer, or says how far that is; nothing where there is no critic to ask. */
export function CriticButtons(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly of: string;
  readonly graded: boolean;
}): VNode | null {
  const { store, on, of, graded } = props;
  const { critic } = store;
  if (store.readOnly || critic.state === undefined) return null;
  const asked = critic.asked("grade", on);
  if (asked !== undefined)
    return (
      <span class="dim" role="status">
        <Icon name="law" /> {waitWords("grading", asked)}
      </span>
    );
  return (
    <>
      <button type="button" class="quiet" onClick={() => critic.grade(on)}>
        <Icon name="law" /> {graded ? "Grade again" : "Ask the critic"}
        <span class="sr-only">{of}</span>
      </button>
      {on.agentId === undefined ? <GradeByButton store={store} on={on} of={of} /> : null}
    </>
  );
}

/** Has a second respondent answer the same question, and both compared; nothing where there is no critic to ask. */
export function CompareButton({ store, on }: { readonly store: Store; readonly on: Judged }): VNode | null {
  const { critic } = store;
  const key = formKey(on.turnId);
  if (store.readOnly || critic.state === undefined) return null;
  const asked = critic.asked("compare", on);
  if (asked !== undefined)
    return (
      <span class="dim" role="status">
        <Icon name="arrow-swap" /> {waitWords("comparing", asked)}
      </span>
    );
  const open = store.isOpen(key, false);
  const texts = new FormTexts(store, key, ["model", "agent", "heat"]);
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
        title="Has another model, temperature or agent answer the same question, and a judge compare both"
      >
        <Icon name="arrow-swap" /> Compare with …
      </button>
      {open ? <CompareForm {...{ store, on, texts }} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The keys at the head line of an answer: G has it graded, B has a second one given and compared. */
export function criticKeys(
  store: Store,
  { sessionId, turnId, status, forgotten }: TurnModel,
  cell: ShownCell | undefined,
): { readonly [key: string]: () => void } {
  const isThere = store.critic.state !== undefined && !store.readOnly && status !== "running";
  if (cell?.kind !== "answer" || !isThere || forgotten !== undefined) return {};
  return {
    g: () => store.critic.grade({ sessionId, turnId }),
    b: () => store.fold(formKey(turnId), true),
  };
}

function formKey(turnId: string): string {
  return `${turnId}/compare-form`;
}

function CompareForm(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly texts: FormTexts<"model" | "agent" | "heat">;
  readonly onClose: () => void;
}): VNode {
  const { store, on, texts, onClose } = props;
  const { model, agent, heat } = texts.values;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  return (
    <form
      ref={form}
      class="correction"
      aria-label="Another answer to compare with"
      onSubmit={(event) => {
        event.preventDefault();
        store.critic.compareWith(on, { model, agent, temperature: heat === "" ? undefined : Number(heat) });
        onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <Field
        label="Model"
        hint="model, as it was"
        value={model}
        onInput={(text) => texts.set("model", text)}
      />
      <Field
        label="Agent"
        hint="agent, as it was"
        value={agent}
        onInput={(text) => texts.set("agent", text)}
      />
      <input
        type="number"
        class="note-field number"
        aria-label="Temperature, 0 to 2"
        placeholder="temp."
        min={0}
        max={2}
        step={0.1}
        value={heat}
        onInput={({ currentTarget: { value } }) => texts.set("heat", value)}
      />
      <button type="submit" class="secondary">
        Compare
      </button>
    </form>
  );
}

function Field(props: {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}): VNode {
  return (
    <input
      type="text"
      class="note-field"
      aria-label={`${props.label}; left empty: as it was`}
      placeholder={props.hint}
      maxLength={300}
      value={props.value}
      onInput={({ currentTarget: { value } }) => props.onInput(value)}
    />
  );
}

import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MemoryLine } from "../../trace/panel-memory.ts";
import { editable, editValue, type EditableField } from "./edits.ts";
import type { Editing } from "./editing.ts";
import type { MemoryState } from "./state.ts";

const MAX_LINE = 10_000;
const MAX_LINES = 100_000;
const PROBLEM = "memory-edit-problem";

interface EditorProps {
  readonly memory: MemoryState;
  readonly line: MemoryLine;
  readonly editing: Editing;
}

/**
 * The field that is being edited. Enter saves and Escape leaves it; a text of many lines is saved by Ctrl+Enter. In a
 * cell, leaving the field saves it too.
 */
export function Editor({ memory, line, editing }: EditorProps): VNode | null {
  const how = editable(line.table, editing.field);
  const [text, setText] = useState(() => editValue(line, editing.field));
  if (how === undefined) return null;
  const save = (written = text) => memory.editing.save(line, written);
  return (
    <span class={`editor editor-${editing.where}`} onClick={(event) => event.stopPropagation()}>
      <Input
        how={how}
        editing={editing}
        text={text}
        onText={setText}
        onSave={save}
        onEnd={() => memory.editing.end()}
      />
      {editing.where === "cell" ? null : <Buttons memory={memory} editing={editing} onSave={() => save()} />}
      <span id={PROBLEM} class={editing.problem === null ? "sr-only" : "edit-problem"} role="alert">
        {editing.problem}
      </span>
    </span>
  );
}

interface InputProps {
  readonly how: EditableField;
  readonly editing: Editing;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSave: (text?: string) => void;
  readonly onEnd: () => void;
}

/** The input that a field wants. It takes the focus. */
function Input({ how, editing, text, onText, onSave, onEnd }: InputProps): VNode {
  const field = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    // A field that was refused is written again.
    if (!editing.saving) field.current?.focus();
  }, [editing.saving]);
  useLayoutEffect(() => {
    if (field.current instanceof HTMLInputElement) field.current.select();
  }, []);
  const keep = (element: HTMLElement | null) => void (field.current = element);
  const common = {
    "aria-label": how.label,
    "aria-invalid": editing.problem !== null,
    "aria-describedby": PROBLEM,
    disabled: editing.saving,
    value: text,
    onKeyDown: (event: KeyboardEvent) => onKey(event, how, onSave, onEnd),
    ...(editing.where === "cell" ? { onBlur: () => onSave() } : {}),
  };
  if (how.kind === "choice") {
    const choose = (choice: string) => {
      onText(choice);
      onSave(choice);
    };
    return (
      <select {...common} ref={keep} onChange={(event) => choose(event.currentTarget.value)}>
        {how.choices?.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  const write = (event: InputEvent & { readonly currentTarget: { readonly value: string } }) =>
    onText(event.currentTarget.value);
  if (how.kind === "lines")
    return <textarea {...common} ref={keep} rows={6} maxLength={MAX_LINES} onInput={write} />;
  const mode = how.kind === "share" ? "decimal" : "text";
  return <input {...common} ref={keep} type="text" inputMode={mode} maxLength={MAX_LINE} onInput={write} />;
}

function onKey(event: KeyboardEvent, how: EditableField, onSave: () => void, onEnd: () => void): void {
  event.stopPropagation();
  if (event.isComposing) return;
  if (event.key === "Escape") onEnd();
  else if (event.key === "Enter" && (how.kind !== "lines" || event.ctrlKey || event.metaKey)) onSave();
  else return;
  event.preventDefault();
}

function Buttons(props: {
  readonly memory: MemoryState;
  readonly editing: Editing;
  readonly onSave: () => void;
}): VNode {
  const { memory, editing } = props;
  return (
    <span class="actions">
      <button type="button" class="secondary" disabled={editing.saving} onClick={props.onSave}>
        {editing.saving ? "Saving …" : "Save"}
      </button>
      <button type="button" class="quiet" disabled={editing.saving} onClick={() => memory.editing.end()}>
        Cancel
      </button>
    </span>
  );
}

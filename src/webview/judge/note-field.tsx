import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { MAX_NOTE } from "../../trace/panel-limits.ts";

/** One line of text that is kept with Enter or when it is left, and given up with Escape. */
export function NoteField(props: {
  readonly label: string;
  readonly value: string;
  /** What stands in it, as it is typed. */
  readonly onType: (text: string) => void;
  /** Empty: given up, or nothing was written. */
  readonly onDone: (text: string) => void;
}): VNode {
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => field.current?.focus(), []);
  const finish = (text: string) => {
    if (done.current) return;
    done.current = true;
    props.onDone(text.trim());
  };
  return (
    <input
      ref={field}
      class="note-field"
      type="text"
      aria-label={props.label}
      placeholder={props.label}
      maxLength={MAX_NOTE}
      defaultValue={props.value}
      onInput={(event) => props.onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        finish(event.key === "Enter" ? event.currentTarget.value : "");
      }}
      onBlur={(event) => finish(event.currentTarget.value)}
    />
  );
}

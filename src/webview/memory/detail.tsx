import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { MemoryLine, MemoryViewEdit } from "../../trace/panel-memory.ts";
import { FailureBox } from "../cells/failure-box.tsx";
import { Icon, IconButton } from "../icon.tsx";
import type { Store } from "../store.ts";
import { detailFields, sourceOf, toldTurns, type DetailField } from "./detail-fields.ts";
import { Editor } from "./editor.tsx";
import type { WholeRow } from "./open-row.ts";
import { ToldTurns, TurnLink } from "./turn-links.tsx";
import { WhyRecalled } from "./why.tsx";

interface DetailProps {
  readonly store: Store;
  readonly line: MemoryLine;
}

/** All there is of the open row: why it was recalled, its texts and fields, and what can be done with it. */
export function Detail(props: {
  readonly store: Store;
  readonly whole: WholeRow;
  readonly onHeight: (height: number) => void;
}): VNode {
  const { store, whole, onHeight } = props;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => onHeight(current.offsetHeight));
    observer.observe(current);
    onHeight(current.offsetHeight);
    return () => observer.disconnect();
  }, []);
  const { line } = whole;
  return (
    <div class="memory-detail" ref={element} aria-busy={whole.waiting}>
      {whole.failure === null ? null : <FailureBox store={store} failure={whole.failure} />}
      {line === null ? (
        whole.waiting ? (
          <p class="dim">Reading …</p>
        ) : null
      ) : (
        <Whole store={store} line={line} />
      )}
    </div>
  );
}

function Whole({ store, line }: DetailProps): VNode {
  const now = store.now();
  return (
    <>
      {line.table === "episodes" && line.score !== undefined ? (
        <WhyRecalled score={line.score} about={{ notes: line.row.notes, now }} />
      ) : null}
      {line.table === "episodes" ? (
        <>
          <EpisodeText store={store} line={line} field="question" label="Question" />
          <EpisodeText store={store} line={line} field="answer" label="Answer" />
        </>
      ) : null}
      {line.table === "resources" ? <Text label="What was read" text={line.row.text} /> : null}
      {line.table === "moments" ? (
        <EditableText
          {...{ store, line }}
          field="text"
          name="Text"
          label="Text"
          editLabel="Text"
          text={line.row.text}
        />
      ) : null}
      <dl class="memory-fields">
        {detailFields(line, now).map((field) => (
          <Field key={field.name} store={store} line={line} field={field} />
        ))}
      </dl>
      {line.table === "episodes" ? <Sources line={line} /> : null}
      <ToldTurns store={store} turns={toldTurns(line)} />
      {line.cut ? <p class="dim">It is too long to be shown whole, or changed here.</p> : null}
      <Actions store={store} line={line} />
    </>
  );
}

function Text(props: {
  readonly label: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}): VNode | null {
  if (props.text === "" && props.children === undefined) return null;
  return (
    <div class="block">
      <div class="block-label">
        {props.label} {props.children}
      </div>
      <pre tabIndex={0} aria-label={props.label}>
        {props.text}
      </pre>
    </div>
  );
}

/** A text of many lines that the user may change. */
function EditableText(
  props: DetailProps & {
    readonly field: string;
    /** What the field is called. */
    readonly name: string;
    /** What stands above it as it is, and above its editor. */
    readonly label: string;
    readonly editLabel: string;
    readonly text: string;
  },
): VNode {
  const { store, line, field } = props;
  const { editing } = store.memory;
  const { now } = editing;
  if (now !== null && now.where === "detail" && now.id === line.row.id && now.field === field && !line.cut) {
    return (
      <div class="block">
        <div class="block-label">{props.editLabel}</div>
        <Editor memory={store.memory} line={line} editing={now} />
      </div>
    );
  }
  return (
    <Text label={props.label} text={props.text}>
      {line.cut ? null : (
        <IconButton
          icon="edit"
          label={`Edit: ${props.name}`}
          class="small"
          onClick={() => editing.begin(line.row.id, field, "detail")}
        />
      )}
    </Text>
  );
}

/** Question or answer: in the user's own words where they changed it, with what was said below. */
function EpisodeText(
  props: DetailProps & { readonly field: "question" | "answer"; readonly label: string },
): VNode | null {
  const { store, line, field, label } = props;
  if (line.table !== "episodes") return null;
  const said = line.row[field];
  const own = line.row.notes.edit?.[field] ?? said;
  const editLabel = `${label}, in your own words`;
  const shown = own === said ? label : editLabel;
  return (
    <>
      <EditableText {...{ store, line, field, editLabel }} name={label} label={shown} text={own} />
      {own === said ? null : (
        <details>
          <summary>As it was said</summary>
          <Text label={label} text={said} />
        </details>
      )}
    </>
  );
}

function Field({ store, line, field }: DetailProps & { readonly field: DetailField }): VNode {
  const { editing } = store.memory;
  const { now } = editing;
  const { edit } = field;
  const edited =
    now !== null && now.where === "detail" && now.id === line.row.id && now.field === edit && !line.cut;
  return (
    <div class={field.long ? "wide" : ""}>
      <dt>{field.name}</dt>
      <dd>
        {edited ? <Editor memory={store.memory} line={line} editing={now} /> : field.text}
        {edit === undefined || edited || line.cut ? null : (
          <IconButton
            icon="edit"
            label={`Edit: ${field.name}`}
            class="small"
            onClick={() => editing.begin(line.row.id, edit, "detail")}
          />
        )}
      </dd>
    </div>
  );
}

function Sources({ line }: { readonly line: MemoryLine & { readonly table: "episodes" } }): VNode | null {
  const sources = line.row.sources ?? [];
  if (sources.length === 0) return null;
  return (
    <div class="sources">
      {sources.map(({ uri, title }) => (
        <a key={uri} href={uri} title={uri}>
          {title === "" ? uri : title}
        </a>
      ))}
    </div>
  );
}

/** A pin's change, for the tables that have pins. */
export function pinEdit(line: MemoryLine): MemoryViewEdit | undefined {
  switch (line.table) {
    case "episodes":
      return { table: line.table, id: line.row.id, pinned: line.row.notes.pinned !== true };
    case "facts":
    case "people":
    case "moments":
      return { table: line.table, id: line.row.id, pinned: line.row.pinned !== true };
    default:
      return undefined;
  }
}

function Actions({ store, line }: DetailProps): VNode {
  const { memory } = store;
  const source = sourceOf(line);
  const pin = pinEdit(line);
  const pinned = pin !== undefined && "pinned" in pin && !pin.pinned;
  const over =
    line.table === "facts" || line.table === "relationships" ? line.row.validTo !== null : undefined;
  return (
    <div class="actions">
      {source === undefined ? null : (
        <TurnLink store={store} turn={source}>
          <Icon name="go-to-file" /> Open the turn
        </TurnLink>
      )}
      {pin === undefined ? null : (
        <button type="button" class="quiet" aria-pressed={pinned} onClick={() => memory.editing.set(pin)}>
          <Icon name={pinned ? "pinned" : "pin"} /> {pinned ? "Unpin" : "Pin"}
        </button>
      )}
      {over === undefined ? null : (
        <button
          type="button"
          class="quiet"
          onClick={() =>
            memory.editing.set({ table: line.table, id: line.row.id, holds: over } as MemoryViewEdit)
          }
        >
          <Icon name="history" /> {over ? "It holds again" : "It no longer holds"}
        </button>
      )}
      <button
        type="button"
        class="quiet"
        onClick={() => memory.forget({ by: "ids", table: line.table, ids: [line.row.id] })}
      >
        <Icon name="trash" /> Forget
      </button>
      {line.table === "people" ? (
        <button
          type="button"
          class="quiet"
          onClick={() => memory.forget({ by: "about", about: line.row.name, here: memory.here })}
        >
          <Icon name="trash" /> Forget all about {line.row.name}
        </button>
      ) : null}
    </div>
  );
}

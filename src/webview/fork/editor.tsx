import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import type { Editing, ForkState } from "./state.ts";

const MAX_HEIGHT = 360;

/** The editor under the place that is changed; nothing elsewhere. */
export function BranchEditor({ store, id }: { readonly store: Store; readonly id: string }): VNode | null {
  const { fork } = store;
  const { editing } = fork;
  return editing?.place.id === id ? <Editor fork={fork} editing={editing} /> : null;
}

/**
 * Where the focus goes when the editor closes: to what opened it; to the cell's head where that was a key that came
 * before the focus had followed to the cell.
 */
function backTo(opener: Element | null, cell: Element | null): HTMLElement | null {
  const isThere = opener instanceof HTMLElement && opener.isConnected;
  if (isThere && (cell === null || cell.contains(opener))) return opener;
  return cell?.querySelector<HTMLElement>("[data-head]") ?? null;
}

function Editor({ fork, editing }: { readonly fork: ForkState; readonly editing: Editing }): VNode {
  const { place, target, sent } = editing;
  const form = useRef<HTMLFormElement>(null);
  const opener = useRef(document.activeElement);
  useEffect(() => form.current?.querySelector<HTMLElement>("textarea, input")?.focus(), []);
  // At once, so that no key goes nowhere that comes right behind the one that closed the editor.
  useLayoutEffect(() => {
    const cell = form.current?.closest(".cell") ?? null;
    return () => backTo(opener.current, cell)?.focus();
  }, []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") fork.leave();
    // As the button does it: the browser says what is wrong with a field first.
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
    else {
      // The keys of the list of cells are letters and arrows of a text here.
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      ref={form}
      class="branch-editor"
      aria-label={
        target === undefined ? `Run again from ${place.name}` : `Change ${place.name}, then run from here`
      }
      onKeyDown={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        fork.run();
      }}
    >
      <Choice fork={fork} editing={editing} />
      <Text fork={fork} editing={editing} />
      <Options fork={fork} editing={editing} />
      {editing.leaving ? <Leaving fork={fork} /> : null}
      <div class="branch-buttons">
        <button type="submit" class="secondary" disabled={sent || !isReady(editing)}>
          <Icon name="git-branch" /> {sent ? "Starting" : "Run from here"}
        </button>
        <button type="button" class="quiet" onClick={() => fork.leave()}>
          Cancel
        </button>
        <span class="dim">Ctrl+Enter runs it as a branch, Escape cancels. This turn stays as it is.</span>
      </div>
    </form>
  );
}

function isReady({ target, was, problem }: Editing): boolean {
  return problem === undefined && (target === undefined || was !== undefined);
}

interface EditorProps {
  readonly fork: ForkState;
  readonly editing: Editing;
}

/** Which of a place's texts is changed. */
function Choice({ fork, editing }: EditorProps): VNode | null {
  const { place, target, turn } = editing;
  if (place.targets.length < 2) return null;
  return (
    <label class="branch-field">
      Change{" "}
      <select
        value={target?.part}
        disabled={fork.isChanged}
        title={fork.isChanged ? "One text is changed at a time" : ""}
        onChange={({ currentTarget }) => {
          const next = place.targets.find(({ part }) => part === currentTarget.value);
          if (next !== undefined) fork.edit(turn, place, next);
        }}
      >
        {place.targets.map(({ part, label }) => (
          <option key={part} value={part}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Text({ fork, editing }: EditorProps): VNode | null {
  const { target, text, was, problem, sent } = editing;
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(MAX_HEIGHT, element.scrollHeight + 2)}px`;
  }, [text]);
  useEffect(() => {
    if (was !== undefined) area.current?.focus();
  }, [was === undefined, target?.part]);
  if (target === undefined) return null;
  if (problem !== undefined) return <p class="problem">{problem}</p>;
  if (was === undefined) return <p class="dim">Reading it from the trace…</p>;
  return (
    <textarea
      ref={area}
      class={target.part === "tool_arguments" ? "mono" : ""}
      aria-label={target.label}
      spellcheck={false}
      readOnly={sent}
      value={text}
      onInput={({ currentTarget }) => fork.write({ text: currentTarget.value })}
    />
  );
}

/** Another model or temperature, for what is asked from here on. */
function Options({ fork, editing }: EditorProps): VNode {
  return (
    <div class="branch-options">
      <label class="branch-field">
        Model{" "}
        <input
          list="branch-models"
          placeholder="as before"
          value={editing.model}
          onInput={({ currentTarget }) => fork.write({ model: currentTarget.value })}
        />
        <datalist id="branch-models">
          {fork.models.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label class="branch-field">
        Temperature{" "}
        <input
          type="number"
          min="0"
          max="2"
          step="0.1"
          placeholder="as before"
          value={editing.temperature}
          onInput={({ currentTarget }) => fork.write({ temperature: currentTarget.value })}
        />
      </label>
      <label class="branch-field">
        Thinking{" "}
        <select
          value={editing.think}
          onChange={({ currentTarget: { value } }) =>
            fork.write({ think: value === "on" || value === "off" ? value : "" })
          }
        >
          <option value="">as before</option>
          <option value="on">on</option>
          <option value="off">off</option>
        </select>
      </label>
      {isWhole(editing) ? <Who fork={fork} editing={editing} /> : null}
    </div>
  );
}

/** Whether all is asked anew: then another may answer. */
function isWhole({ place, target }: Editing): boolean {
  return place.eventId === undefined && target?.eventId === undefined;
}

function Who({ fork, editing }: EditorProps): VNode {
  return (
    <label class="branch-field">
      Who answers{" "}
      <select
        value={editing.who}
        onChange={({ currentTarget: { value } }) =>
          fork.write({ who: value === "agent" || value === "committee" ? value : "" })
        }
      >
        <option value="">as before</option>
        <option value="agent">one agent</option>
        <option value="committee">the committee</option>
      </select>
    </label>
  );
}

function Leaving({ fork }: { readonly fork: ForkState }): VNode {
  const root = useRef<HTMLParagraphElement>(null);
  // It is asked where the change is, which may be far from what was pressed.
  useEffect(() => root.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <p class="branch-leaving" role="alert" ref={root}>
      Give up what you changed?{" "}
      <button type="button" class="quiet" onClick={() => fork.leave()}>
        Give it up
      </button>
      <button type="button" class="quiet" onClick={() => fork.stay()}>
        Go on changing
      </button>
    </p>
  );
}

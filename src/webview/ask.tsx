import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PanelMessage } from "../trace/panel-protocol.ts";
import { FailureBox } from "./cells/failure-box.tsx";
import { Icon, IconButton } from "./icon.tsx";
import type { Store } from "./store.ts";

const MAX_HEIGHT = 160;

type ToggleName = Extract<PanelMessage, { type: "toggle" }>["name"];

function Switch(props: {
  readonly store: Store;
  readonly name: ToggleName;
  readonly icon: string;
}): VNode | null {
  const { store, name } = props;
  if (store.frame === undefined) return null;
  const on = store.frame.toggles[name];
  return (
    <button
      type="button"
      class={on ? "chip" : "chip off"}
      role="switch"
      aria-checked={on}
      aria-label={name}
      title={titleOf(store, name, on)}
      onClick={() => store.send({ type: "toggle", name, on: !on })}
    >
      <Icon name={props.icon} /> {name} {on ? "on" : "off"}
    </button>
  );
}

function titleOf(store: Store, name: ToggleName, on: boolean): string {
  if (name === "committee") {
    return on ? `The committee answers: ${store.frame?.committee ?? ""}` : "A single agent answers";
  }
  return on ? `Answers may use ${name}` : `Answers may not use ${name}`;
}

/** The question, the switches that change what it costs, and the one primary button. Ctrl+Enter asks. */
export function Ask({ store }: { readonly store: Store }): VNode {
  const area = useRef<HTMLTextAreaElement>(null);
  const busy = store.running || store.asking !== undefined;
  const ask = () => {
    if (store.draft.trim() === "") area.current?.focus();
    else if (!busy) store.ask(store.draft);
  };
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(MAX_HEIGHT, element.scrollHeight + 2)}px`;
  }, [store.draft]);
  return (
    <footer>
      {store.notice === undefined ? null : (
        <div class="notice" role="alert">
          <FailureBox store={store} failure={store.notice} />
          <IconButton icon="close" label="Dismiss" onClick={() => store.dismiss()} />
        </div>
      )}
      <textarea
        ref={area}
        rows={1}
        aria-label="Question"
        placeholder={placeholder(store)}
        value={store.draft}
        onInput={(event) => store.write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          ask();
        }}
      />
      <div class="options">
        <Switch store={store} name="committee" icon="organization" />
        <Switch store={store} name="memory" icon="database" />
        <Switch store={store} name="web" icon="globe" />
        <span class="space" />
        <button
          type="button"
          class="quiet"
          aria-label="Keys"
          title="Keys (?)"
          onClick={() => store.help(true)}
        >
          ?
        </button>
        <span class="dim only-wide">Ctrl+Enter</span>
        <button type="button" class="primary" disabled={busy} onClick={ask}>
          Ask
        </button>
      </div>
    </footer>
  );
}

/** What stands where the question goes. */
function placeholder(store: Store): string {
  if (store.beginsPrivate) return "Ask in private: nothing is kept";
  if (store.sessionId === null) return "Ask the conclave";
  return store.isPrivate ? "Ask on in private: nothing is kept" : "Ask on, in this session";
}

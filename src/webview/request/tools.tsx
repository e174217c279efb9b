import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { TurnModel } from "../../trace/model.ts";
import type { CutRef } from "../../trace/posted.ts";
import type { RequestView } from "../../trace/request/types.ts";
import { MoreButton } from "../cells/long-text.tsx";
import { count } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";

/** The tools that went with a request: names and descriptions; open, a tool shows its JSON schema. */
export function SentTools(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly eventId: string;
  readonly view: RequestView;
}): VNode | null {
  const { store, turn, eventId, view } = props;
  const { tools, toolCount, toolsEventId } = view;
  if (toolCount === 0) return null;
  const key = `tools ${eventId}`;
  const open = store.requests.isOpen(key);
  return (
    <div class="sent-tools">
      <button type="button" class="quiet" aria-expanded={open} onClick={() => store.requests.toggle(key)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span class="block-label">Tools</span> {count(toolCount)}
        <span class="ellipsis dim">{tools.map(({ name }) => name).join(", ")}</span>
      </button>
      {open ? (
        <ul aria-label="Tools, as sent">
          {tools.map((tool, index) => (
            <li key={tool.name} class="edge-tools">
              <details
                open={store.requests.isOpen(`tool ${eventId} ${index}`)}
                onToggle={(event) => {
                  const opened = event.currentTarget.open;
                  const isKnown = store.requests.isOpen(`tool ${eventId} ${index}`);
                  if (opened !== isKnown) store.requests.toggle(`tool ${eventId} ${index}`);
                }}
              >
                <summary>
                  <span class="role">{tool.name}</span> <span class="dim">{tool.description}</span>
                </summary>
                {toolsEventId !== undefined && store.requests.isOpen(`tool ${eventId} ${index}`) ? (
                  <Schema store={store} turn={turn} eventId={toolsEventId} index={index} name={tool.name} />
                ) : null}
              </details>
            </li>
          ))}
        </ul>
      ) : null}
      {open && tools.length < toolCount ? (
        <p class="dim">{count(toolCount - tools.length)} more stand in the raw request.</p>
      ) : null}
    </div>
  );
}

function Schema(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly eventId: string;
  readonly index: number;
  readonly name: string;
}): VNode {
  const { store, turn, eventId, index } = props;
  const ref: CutRef = {
    eventId,
    eventType: "tool.schema",
    path: ["data", "tools", String(index), "parameters"],
    length: 0,
    unit: "characters",
  };
  const fetched = store.details.get(ref);
  useEffect(() => {
    if (fetched === undefined) store.details.fetch(turn, ref);
  }, [store, turn, eventId, index, fetched === undefined]);
  return (
    <>
      <pre tabIndex={0} aria-label={`JSON schema of ${props.name}`}>
        {fetched === undefined || fetched.text === "" ? "…" : fetched.text}
      </pre>
      {fetched === undefined ? null : <MoreButton store={store} cut={ref} shown={fetched.text.length} />}
    </>
  );
}

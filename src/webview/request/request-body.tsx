import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { ModelCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import type { RequestView } from "../../trace/request/types.ts";
import { characters, count } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { Legend } from "./legend.tsx";
import { Message } from "./message.tsx";
import { Prefix } from "./prefix.tsx";
import { SentTools } from "./tools.tsx";
import type { OpenedRequest } from "./state.ts";

/** What a request is drawn from. */
export interface RequestProps {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly model: ModelCell;
}

/** Exactly what a model was given: where it came from, its messages, its tools, its options; or all of it as sent. */
export function RequestBody({ store, turn, model }: RequestProps): VNode {
  const { id } = model;
  const ended = model.status !== "running";
  const opened = store.requests.get(id);
  useEffect(() => store.requests.open(turn, id, ended), [store, turn, id, ended, opened === undefined]);
  if (opened?.view === undefined) {
    return <p class="dim">{opened?.waiting === false ? "The log does not hold this request." : "…"}</p>;
  }
  return <Opened store={store} turn={turn} model={model} opened={opened} view={opened.view} />;
}

function Opened(props: RequestProps & { readonly opened: OpenedRequest; readonly view: RequestView }): VNode {
  const { store, turn, model, opened, view } = props;
  const { id } = model;
  const raw = store.requests.isOpen(`raw ${id}`);
  return (
    <div class="request">
      {view.prefix === undefined ? null : <Prefix store={store} eventId={id} prefix={view.prefix} />}
      <Legend shares={view.shares} />
      <div class="request-bar">
        <span class="block-label">
          What the model saw · {count(view.messages)} {view.messages === 1 ? "message" : "messages"},{" "}
          {characters(view.characters)}
        </span>
        <button
          type="button"
          class="quiet"
          aria-pressed={raw}
          onClick={() => store.requests.toggle(`raw ${id}`)}
        >
          <Icon name="json" /> Raw
        </button>
        <button type="button" class="quiet" onClick={() => store.requests.copy(turn, id)}>
          <Icon name="copy" /> {store.requests.copied === id ? "Copied" : "Copy raw"}
        </button>
      </div>
      {raw ? (
        <Raw {...props} />
      ) : (
        <>
          <ol class="messages" aria-label="Messages, as sent">
            {opened.heads.map((head) => (
              <Message
                key={head.index}
                store={store}
                head={head}
                eventId={id}
                eventType="model.start"
                turnId={turn.turnId}
              />
            ))}
          </ol>
          {opened.next === null ? null : (
            <button
              type="button"
              class="quiet"
              disabled={opened.waiting}
              onClick={() => store.requests.more(turn, id)}
            >
              {count(opened.heads.length)} of {count(view.messages)} messages shown · show more
            </button>
          )}
          <SentTools store={store} turn={turn} eventId={id} view={view} />
          <Options view={view} />
        </>
      )}
    </div>
  );
}

function Options({ view }: { readonly view: RequestView }): VNode {
  return (
    <>
      <div class="block-label">Sent with it</div>
      <dl class="figures">
        {view.options.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {view.format === undefined ? null : (
        <details>
          <summary class="dim">format: the JSON schema that the answer was held to</summary>
          <pre tabIndex={0} aria-label="Schema of the answer">
            {view.format}
          </pre>
        </details>
      )}
    </>
  );
}

function Raw({ store, turn, model, view }: RequestProps & { readonly view: RequestView }): VNode {
  const { id } = model;
  const raw = store.requests.raw(id);
  useEffect(() => {
    if (raw === undefined) store.requests.fetchRaw(turn, id);
  }, [store, turn, id, raw === undefined]);
  const shown = raw?.text.length ?? 0;
  return (
    <div class="block">
      {view.raw.exact ? null : (
        <p class="tone-warning">
          This log does not hold all that was sent: what stands here was put together from what it holds.
        </p>
      )}
      <pre class="raw" tabIndex={0} aria-label="The request as it was sent">
        {raw === undefined || raw.text === "" ? "…" : raw.text}
      </pre>
      {raw === undefined || raw.next === null ? (
        shown > 0 && shown < view.raw.length ? (
          <p class="dim">The rest is too long to show: copy it.</p>
        ) : null
      ) : (
        <button
          type="button"
          class="quiet"
          disabled={raw.waiting}
          onClick={() => store.requests.fetchRaw(turn, id)}
        >
          {count(shown)} of {characters(view.raw.length)} shown · show more
        </button>
      )}
    </div>
  );
}

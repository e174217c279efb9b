import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ModelCell, TextCell, TurnModel } from "../../trace/model.ts";
import { cutKey, type CutRef } from "../../trace/posted.ts";
import { Icon, IconButton } from "../icon.tsx";
import type { Store } from "../store.ts";
import { MoreButton } from "./long-text.tsx";
import { Markdown } from "./markdown.tsx";

/** What a model said, with its actions when it is the answer of a turn that has ended. */
export function AnswerBody(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: TextCell;
}): VNode {
  const { store, turn, cell } = props;
  const cut = store.shown.cuts.get(cutKey(cell.id, "text"));
  const fetched = cut === undefined ? undefined : store.details.get(cut);
  // An answer is read whole: what was cut from it is fetched without being asked for.
  useEffect(() => {
    if (cut !== undefined && cell.status !== "running") store.details.fetch(turn, cut);
  }, [store, turn, cut, cell.status, fetched?.text.length]);
  const text = fetched !== undefined && fetched.text.length > cell.text.length ? fetched.text : cell.text;
  const complete = cell.status !== "running" && (cut === undefined || fetched?.next === null);
  return (
    <>
      <Markdown text={text} complete={complete} />
      {cut === undefined || complete ? null : <MoreButton store={store} cut={cut} shown={text.length} />}
      {cell.kind === "answer" && turn.status !== "running" ? (
        <Actions store={store} turn={turn} cell={cell} />
      ) : null}
    </>
  );
}

/** The model call a text came from. */
function modelOf(turn: TurnModel, cell: TextCell): ModelCell | undefined {
  const parent = cell.parentId === null ? undefined : turn.cells.get(cell.parentId);
  if (parent?.kind === "model") return parent;
  return [...turn.cells.values()].findLast((other): other is ModelCell => other.kind === "model");
}

/** Where in the log the prompt of a model call stands. */
export function promptRef(model: ModelCell): CutRef {
  return {
    eventId: model.id,
    eventType: "model.start",
    path: ["data", "conclave.messages"],
    length: 0,
    unit: "characters",
  };
}

/** The exact messages that a model was given, fetched when they are asked for. */
export function Prompt({ store, model }: { readonly store: Store; readonly model: ModelCell }): VNode {
  const ref = promptRef(model);
  const fetched = store.details.get(ref);
  return (
    <div class="block">
      <div class="block-label">What the model saw · {model.messageCount} messages</div>
      <pre tabIndex={0} aria-label="What the model saw">
        {fetched === undefined || fetched.text === "" ? "…" : fetched.text}
      </pre>
      {fetched === undefined ? null : <MoreButton store={store} cut={ref} shown={fetched.text.length} />}
    </div>
  );
}

function Actions(props: { readonly store: Store; readonly turn: TurnModel; readonly cell: TextCell }): VNode {
  const { store, turn } = props;
  const [prompt, showPrompt] = useState(false);
  const model = modelOf(turn, props.cell);
  const toggle = () => {
    if (!prompt && model !== undefined) store.details.fetch(turn, promptRef(model));
    showPrompt(!prompt);
  };
  return (
    <>
      <div class="actions">
        <IconButton
          icon={turn.feedback === "up" ? "thumbsup-filled" : "thumbsup"}
          label="Good answer"
          pressed={turn.feedback === "up"}
          onClick={() => store.rate("up")}
        />
        <IconButton
          icon={turn.feedback === "down" ? "thumbsdown-filled" : "thumbsdown"}
          label="Poor answer"
          pressed={turn.feedback === "down"}
          onClick={() => store.rate("down")}
        />
        {turn.forgotten === undefined ? (
          <button type="button" class="quiet" onClick={() => store.ask(turn.question)}>
            <Icon name="debug-rerun" /> Ask again
          </button>
        ) : null}
        {model === undefined ? null : (
          <button type="button" class="quiet" aria-expanded={prompt} onClick={toggle}>
            <Icon name="json" /> What the model saw
          </button>
        )}
      </div>
      <Sources turn={turn} />
      {prompt && model !== undefined ? <Prompt store={store} model={model} /> : null}
    </>
  );
}

const MAX_SOURCES = 12;

function Sources({ turn }: { readonly turn: TurnModel }): VNode | null {
  const pages = turn.sources.filter((source) => /^https?:/i.test(source.uri)).slice(0, MAX_SOURCES);
  if (pages.length === 0) return null;
  return (
    <ul class="sources" aria-label="Sources">
      {pages.map((source) => (
        <li key={source.uri}>
          <a href={source.uri} title={source.uri}>
            {source.title === "" ? source.uri : source.title}
          </a>
        </li>
      ))}
    </ul>
  );
}

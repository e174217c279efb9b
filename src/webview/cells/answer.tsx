import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { ModelCell, TextCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { cutKey } from "../../trace/posted.ts";
import { Icon } from "../icon.tsx";
import { CompareButton } from "../judge/ask-critic.tsx";
import { GradeLine } from "../judge/grade.tsx";
import { Thumbs, type Judged } from "../judge/thumbs.tsx";
import { UseAnswer } from "../judge/use-answer.tsx";
import { wholeTurn } from "../fork/targets.ts";
import { RequestBody } from "../request/request-body.tsx";
import type { Store } from "../store.ts";
import { MoreButton } from "./long-text.tsx";
import { Markdown } from "./markdown.tsx";
import { Sources } from "./sources.tsx";

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

function Actions(props: { readonly store: Store; readonly turn: TurnModel; readonly cell: TextCell }): VNode {
  const { store, turn } = props;
  const key = `prompt ${props.cell.id}`;
  const prompt = store.folds.isOpened(key);
  const model = modelOf(turn, props.cell);
  return (
    <>
      <div class="actions">
        {store.readOnly ? null : (
          <>
            <Thumbs store={store} on={nameOf(turn)} feedback={turn.feedback} />
            {turn.forgotten === undefined && turn.answer !== "" ? (
              <UseAnswer store={store} on={nameOf(turn)} text={turn.answer} />
            ) : null}
            {turn.forgotten === undefined ? (
              <button
                type="button"
                class="quiet"
                onClick={() => store.fork.again(turn, wholeTurn(props.cell))}
              >
                <Icon name="debug-rerun" /> Run again
              </button>
            ) : null}
          </>
        )}
        {model === undefined ? null : (
          <button type="button" class="quiet" aria-expanded={prompt} onClick={() => store.fold(key, !prompt)}>
            <Icon name="json" /> What the model saw
          </button>
        )}
        {turn.forgotten === undefined && turn.answer !== "" ? (
          <CompareButton store={store} on={nameOf(turn)} />
        ) : null}
        {turn.grade === undefined ? <GradeLine store={store} on={nameOf(turn)} grade={undefined} /> : null}
      </div>
      <Sources of={turn.sources} />
      {prompt && model !== undefined ? <RequestBody store={store} turn={turn} model={model} /> : null}
    </>
  );
}

function nameOf({ sessionId, turnId }: TurnModel): Judged {
  return { sessionId, turnId };
}

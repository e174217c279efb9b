import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { AnswerUse } from "../token-use.ts";
import { answerUse } from "../token-use.ts";
import type { QuestionCell, TextCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { cutKey } from "../../trace/posted.ts";
import { mayBranch, wholeTurn } from "../fork/targets.ts";
import { characters, duration, oneLine, tokenCount } from "../format.ts";
import { Icon } from "../icon.tsx";
import { bestSingle, bestSingleWords, whyUngraded } from "../../trace/judged-words.ts";
import { GradeBadge } from "../judge/badge.tsx";
import { memoryLine } from "../kept.tsx";
import type { EndedCell, ShownCell } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import { AnswerBody } from "./answer.tsx";
import { FailureBox } from "./failure-box.tsx";
import { StatusWord, timeOf } from "./head.tsx";
import { MoreButton } from "./long-text.tsx";
import { Warning, warningWord } from "./warning.tsx";

/** Longer questions are clamped until they are opened: UTF-16 units, and lines. */
const CLAMPED = 1_200;
const MAX_LINES = 12;

interface PlainProps<C extends ShownCell = ShownCell> {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: C;
  readonly now: number;
}

/** A cell that is open until it is folded, and has no head line of its own: question, answer, warning, error. */
export function PlainCell(props: PlainProps): VNode | null {
  const { store, turn, cell } = props;
  switch (cell.kind) {
    case "question":
      return <Question store={store} turn={turn} cell={cell} />;
    case "answer":
      return <Answer {...props} cell={cell} />;
    case "warning":
      return <Warning store={store} turn={turn} cell={cell} />;
    case "error":
      return <FailureBox store={store} failure={cell.failure} />;
    case "ended":
      return <Ended store={store} turn={turn} cell={cell} />;
    default:
      return null;
  }
}

/** What such a cell is called, for those who hear its fold button. */
export function plainName({ kind }: ShownCell): string {
  return kind.slice(0, 1).toUpperCase() + kind.slice(1);
}

/** Such a cell folded: what it is and what it says, on one line. */
export function PlainLine({ turn, cell, now }: PlainProps): VNode | null {
  switch (cell.kind) {
    case "question":
      return <Line icon="account" what="Question" summary={oneLine(cell.text)} />;
    case "answer":
      return (
        <Line
          icon="sparkle"
          what="Answer"
          summary={oneLine(cell.text)}
          note={timeOf(cell, now)}
          tokens={tokensOf(turn, cell)}
        >
          {turn.grade === undefined ? null : (
            <GradeBadge score={turn.grade.score} why={whyUngraded(turn.grade)} />
          )}
          <StatusWord cell={cell} />
        </Line>
      );
    case "warning":
      return (
        <Line
          icon="warning"
          what="Warning"
          summary={`${warningWord(cell)} · ${oneLine(cell.message)}`}
          tone="warning"
        />
      );
    case "error":
      return <Line icon="error" what="Error" summary={oneLine(cell.failure.message)} tone="error" />;
    case "ended":
      return <Line icon="circle-slash" what="Ended" summary={endedWords(turn, cell)} />;
    default:
      return null;
  }
}

function Line(props: {
  readonly icon: string;
  readonly what: string;
  readonly summary: string;
  readonly note?: string;
  readonly tokens?: string | undefined;
  readonly tone?: "warning" | "error";
  readonly children?: VNode | readonly (VNode | null)[] | null;
}): VNode {
  return (
    <div class="head">
      <Icon name={props.icon} {...(props.tone === undefined ? {} : { tone: props.tone })} />
      <span class={props.tone === undefined ? "what" : `what tone-${props.tone}`}>{props.what}</span>
      {props.children}
      {props.tokens === undefined ? null : <span class="word dim">{props.tokens}</span>}
      <span class="summary">{props.summary}</span>
      {props.note === undefined ? null : <span class="time">{props.note}</span>}
    </div>
  );
}

function tokensOf(turn: TurnModel, cell: TextCell): string | undefined {
  const use: AnswerUse | undefined = answerUse(turn, cell);
  if (use === undefined) return undefined;
  return `${use.exact ? "" : "≈ "}${tokenCount(use.tokens)}`;
}

/** How a turn ended that came to no end of its own, in a sentence. */
function endedWords(turn: TurnModel, { answered }: EndedCell): string {
  const left = answered ? "what had come of an answer stands above" : "there was no answer yet";
  return turn.status === "cancelled"
    ? `Cancelled after ${duration(turn.durationMs ?? 0)}: ${left}.`
    : `Interrupted: its log ends here, and nobody works on it any more; ${left}.`;
}

/** Says that a turn was stopped, and offers it once more where no answer does. */
function Ended(props: { readonly store: Store; readonly turn: TurnModel; readonly cell: EndedCell }): VNode {
  const { store, turn, cell } = props;
  const offers = !cell.answered && !store.readOnly && mayBranch(turn);
  return (
    <div class="failure">
      <span class="dim">{endedWords(turn, cell)}</span>
      {offers ? (
        <button type="button" class="quiet" onClick={() => store.fork.again(turn, wholeTurn(cell))}>
          <Icon name="debug-rerun" /> Run again
        </button>
      ) : null}
    </div>
  );
}

/** Whether a question is long enough to be clamped until it is opened. */
function isLong(text: string): boolean {
  return text.length > CLAMPED || text.split("\n", MAX_LINES + 1).length > MAX_LINES;
}

/** The question; of a long one its beginning, and all of it when it is asked for. */
function Question(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: QuestionCell;
}): VNode {
  const { store, turn, cell } = props;
  const key = `whole ${cell.id}`;
  const cut = store.shown.cuts.get(cutKey(cell.id, "text"));
  const long = cut !== undefined || isLong(cell.text);
  const whole = long && store.folds.isOpened(key);
  const fetched = cut === undefined ? undefined : store.details.get(cut);
  useEffect(() => {
    if (whole && cut !== undefined && fetched === undefined) store.details.fetch(turn, cut);
  }, [store, turn, cut, whole, fetched === undefined]);
  const text = fetched !== undefined && fetched.text.length > cell.text.length ? fetched.text : cell.text;
  return (
    <>
      <h2 class={long && !whole ? "question clamped" : "question"}>{text}</h2>
      {whole && cut !== undefined ? <MoreButton store={store} cut={cut} shown={text.length} /> : null}
      {long ? (
        <button type="button" class="quiet" aria-expanded={whole} onClick={() => store.fold(key, !whole)}>
          {whole ? "Less" : `All of it, ${characters(cut?.length ?? text.length)}`}
        </button>
      ) : null}
      {cell.references.length === 0 ? null : (
        <div class="chips">
          {cell.references.map((reference) => (
            <span class="chip" key={reference.uri} title={reference.uri}>
              <Icon name="file" /> {reference.label}
            </span>
          ))}
        </div>
      )}
    </>
  );
}

function Answer({ store, turn, cell, now }: PlainProps<TextCell>): VNode {
  const streaming = cell.status === "running";
  const { grade } = turn;
  const best = bestSingle(turn);
  return (
    <>
      <div class="head">
        <span class="what">Answer</span>
        {grade === undefined ? null : <GradeBadge score={grade.score} why={whyUngraded(grade)} />}
        <StatusWord cell={cell} />
        <span class="summary">{streaming ? "streaming" : (tokensOf(turn, cell) ?? "")}</span>
        {streaming ? (
          <button type="button" class="quiet stop" title="Stop (Escape)" onClick={() => store.cancel()}>
            <Icon name="debug-stop" /> Stop
          </button>
        ) : null}
        <span class="time">{timeOf(cell, now)}</span>
      </div>
      <AnswerBody store={store} turn={turn} cell={cell} />
      {best === undefined ? null : (
        <div class="memory-line best-single">
          <Icon name="law" tone="grade" /> By their grades, {bestSingleWords(best)}.
        </div>
      )}
      {memoryLine(turn) === "" ? null : (
        <div class="memory-line">
          <Icon name="database" tone="memory" /> {memoryLine(turn)}
        </div>
      )}
    </>
  );
}

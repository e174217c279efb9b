import type { VNode } from "preact";
import type { AnswerUse } from "../token-use.ts";
import { answerUse } from "../token-use.ts";
import type { QuestionCell, TextCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { tokenCount } from "../format.ts";
import { Icon } from "../icon.tsx";
import { bestSingle, bestSingleWords, whyUngraded } from "../../trace/judged-words.ts";
import { GradeBadge } from "../judge/badge.tsx";
import { memoryLine } from "../kept.tsx";
import type { ShownCell } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import { AnswerBody } from "./answer.tsx";
import { FailureBox } from "./failure-box.tsx";
import { StatusWord, timeOf } from "./head.tsx";
import { Warning, warningWord } from "./warning.tsx";

/** Characters of a text that stand in a folded cell's line; the line cuts it to what there is room for. */
const MAX_LINE = 240;

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
      return <Question cell={cell} />;
    case "answer":
      return <Answer {...props} cell={cell} />;
    case "warning":
      return <Warning store={store} turn={turn} cell={cell} />;
    case "error":
      return <FailureBox store={store} failure={cell.failure} />;
    default:
      return null;
  }
}

/** What such a cell is called, for those who hear its fold button. */
export function plainName({ kind }: ShownCell): string {
  return kind.slice(0, 1).toUpperCase() + kind.slice(1);
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_LINE)
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
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

function Question({ cell }: { readonly cell: QuestionCell }): VNode {
  return (
    <>
      <h2 class="question">{cell.text}</h2>
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

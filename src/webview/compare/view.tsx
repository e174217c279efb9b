import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { alignTurns } from "../../trace/compare/align.ts";
import { answerCell, type TurnModel } from "../../trace/model.ts";
import { cutKey } from "../../trace/posted.ts";
import { whatChanged } from "../fork/origin.ts";
import { count, duration, when } from "../format.ts";
import { GradeBadge } from "../judge/badge.tsx";
import type { Store } from "../store.ts";
import { ChangedParts } from "./changed.tsx";
import type { ComparedSide } from "./state.ts";
import { Steps } from "./steps.tsx";
import { Texts, type Piece } from "./texts.tsx";

/** Two turns side by side: what was asked and answered, what it cost, and step by step where they differ. */
export function CompareView({ store }: { readonly store: Store }): VNode {
  const { left, right, revision } = store.compare;
  const steps = useMemo(
    () => (left === undefined || right === undefined ? [] : alignTurns(left.model, right.model)),
    [left, right, revision],
  );
  if (store.compare.waiting !== undefined || left === undefined || right === undefined)
    return <HowToCompare store={store} />;
  return (
    <section class="compare" aria-label="Two turns compared" aria-busy={!store.compare.loaded} tabIndex={0}>
      <div class="compare-heads">
        <SideHead store={store} side={left} />
        <SideHead store={store} side={right} />
      </div>
      {isGone(left) || isGone(right) ? (
        <p class="dim">There is nothing to compare any more.</p>
      ) : (
        <>
          <Figures left={left.model} right={right.model} />
          <Texts store={store} title="Question" left={questionOf(left)} right={questionOf(right)} whole />
          <ChangedParts store={store} left={left} right={right} />
          <Texts store={store} title="Answer" left={answerOf(left)} right={answerOf(right)} whole />
          <Steps store={store} sides={{ left, right }} steps={steps} />
        </>
      )}
    </section>
  );
}

/** Whether the log holds nothing of a turn, such as one whose session was deleted since. */
function isGone({ loaded, model }: ComparedSide): boolean {
  return loaded && model.cells.size === 0;
}

function HowToCompare({ store }: { readonly store: Store }): VNode {
  const { waiting, left } = store.compare;
  const question = waiting === undefined ? "" : store.rows.questionOf(waiting);
  return (
    <div class="hint compare-hint">
      <p role="status">
        Choose the turn in the list that is to stand beside {question === "" ? "this one" : `“${question}”`}.
      </p>
      {left === undefined ? null : (
        <button type="button" class="secondary" onClick={() => store.compare.showLast()}>
          Show the last comparison
        </button>
      )}
    </div>
  );
}

function questionOf({ name: turn, model, cuts }: ComparedSide): Piece {
  for (const { kind, id } of model.cells.values())
    if (kind === "question") return { turn, text: model.question, cut: cuts.get(cutKey(id, "text")) };
  return { turn, text: model.question };
}

function answerOf({ name: turn, model, cuts }: ComparedSide): Piece {
  const answer = answerCell(model);
  if (answer === undefined) return { turn, text: model.error?.message ?? "" };
  return { turn, text: answer.text, cut: cuts.get(cutKey(answer.id, "text")) };
}

function SideHead({ store, side }: { readonly store: Store; readonly side: ComparedSide }): VNode {
  const { model, loaded, name } = side;
  const { fork } = model;
  const said = isGone(side)
    ? "Nothing of it is in the log any more"
    : loaded
      ? "A turn without a question"
      : "Reading …";
  return (
    <div class="compare-head">
      <button type="button" class="link" title="Show this turn" onClick={() => store.select(name)}>
        {model.question === "" ? said : model.question}
      </button>
      <span class="dim">
        {model.start === 0 ? "" : when(model.start, store.now())}
        {fork === undefined ? "" : ` · branch, changed: ${whatChanged(model, fork)}`}
      </span>
    </div>
  );
}

/** A figure's name, what it is on both sides, and how much it changed from left to right. */
type FigureRow = readonly [name: string, left: string, right: string, change?: string];

/** A number of both turns, and which way it went. */
function numberRow(name: string, left: number, right: number, words: (value: number) => string): FigureRow {
  const change = right - left;
  return [
    name,
    words(left),
    words(right),
    change === 0 ? "" : `${change > 0 ? "+" : "−"}${words(Math.abs(change))}`,
  ];
}

/** A figure of both turns, and which way it went. */
function Figures({ left, right }: { readonly left: TurnModel; readonly right: TurnModel }): VNode {
  const rows: readonly FigureRow[] = [
    ["outcome", left.status, right.status],
    ["by", byOf(left), byOf(right)],
    numberRow("steps", left.steps, right.steps, count),
    numberRow("tokens in", left.inputTokens, right.inputTokens, count),
    numberRow("tokens out", left.outputTokens, right.outputTokens, count),
    numberRow("time", left.durationMs ?? 0, right.durationMs ?? 0, duration),
  ];
  return (
    <table class="compare-figures">
      <thead class="sr-only">
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">Left turn</th>
          <th scope="col">Right turn</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, one, other, change = ""]) => (
          <tr key={name} class={one === other ? "same" : "differs"}>
            <th scope="row">{name}</th>
            <td>{one}</td>
            <td>
              {other} {change === "" ? null : <span class="dim change">{change}</span>}
            </td>
          </tr>
        ))}
        <tr class={left.grade?.score === right.grade?.score ? "same" : "differs"}>
          <th scope="row">grade</th>
          <td>{left.grade === undefined ? "–" : <GradeBadge score={left.grade.score} />}</td>
          <td>{right.grade === undefined ? "–" : <GradeBadge score={right.grade.score} />}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** Who answered, with which model. */
function byOf({ agent, cells }: TurnModel): string {
  const models = new Set<string>();
  for (const cell of cells.values()) if (cell.kind === "model") models.add(cell.model);
  return [agent, ...models].filter((name) => name !== "").join(" · ");
}

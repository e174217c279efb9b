import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Cell } from "../../trace/cells.ts";
import { alignTurns, saysTheSame, textsOf, type ComparedStep } from "../../trace/compare/align.ts";
import { answerCell, type TurnModel } from "../../trace/model.ts";
import { diffWords } from "../../trace/word-diff.ts";
import { count, duration, when } from "../format.ts";
import { Icon } from "../icon.tsx";
import { GradeBadge } from "../judge/badge.tsx";
import type { Store } from "../store.ts";
import { toolLook } from "../tool-icons.ts";
import type { ComparedSide } from "./state.ts";
import { WordRuns } from "./word-runs.tsx";

/** Steps that are drawn at most; a comparison of more is read turn by turn. */
const MAX_STEPS = 400;

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
      <Figures left={left.model} right={right.model} />
      <Texts title="Question" left={left.model.question} right={right.model.question} />
      <Texts title="Answer" left={answerOf(left.model)} right={answerOf(right.model)} />
      <Steps store={store} steps={steps} />
    </section>
  );
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

function answerOf(turn: TurnModel): string {
  return answerCell(turn)?.text ?? turn.error?.message ?? "";
}

function SideHead({ store, side }: { readonly store: Store; readonly side: ComparedSide }): VNode {
  const { model, loaded, name } = side;
  return (
    <div class="compare-head">
      <button type="button" class="link" title="Show this turn" onClick={() => store.select(name)}>
        {model.question === "" ? (loaded ? "A turn without a question" : "Reading ...") : model.question}
      </button>
      <span class="dim">
        {model.start === 0 ? "" : when(model.start, store.now())}
        {model.fork === undefined ? "" : " · branch"}
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

/** Two texts side by side with their differences; one line when they are the same. */
function Texts(props: {
  readonly title: string;
  readonly left: string;
  readonly right: string;
}): VNode | null {
  const { title, left, right } = props;
  const runs = useMemo(() => diffWords(left, right), [left, right]);
  if (left === "" && right === "") return null;
  return (
    <div class="compare-part">
      <h3>
        {title}
        {left === right ? <span class="dim"> · the same</span> : null}
      </h3>
      {left === right ? null : (
        <div class="compare-sides">
          <WordRuns runs={runs} show="removed" />
          <WordRuns runs={runs} show="added" />
        </div>
      )}
    </div>
  );
}

function Steps({ store, steps }: { readonly store: Store; readonly steps: readonly ComparedStep[] }): VNode {
  const { compare } = store;
  const differing = steps.filter(({ left, right }) => !isSame(left, right));
  const shown = compare.showSame ? steps : differing;
  const same = steps.length - differing.length;
  return (
    <div class="compare-part">
      <h3>
        Step by step
        <span class="dim">
          {` · ${count(differing.length)} of ${count(steps.length)} differ`}
          {shown.length > MAX_STEPS ? `, the first ${count(MAX_STEPS)} are shown` : ""}
        </span>
        {same === 0 ? null : (
          <label class="compare-same">
            <input
              type="checkbox"
              checked={compare.showSame}
              onChange={() => {
                compare.showSame = !compare.showSame;
                store.redraw();
              }}
            />
            show what is the same
          </label>
        )}
      </h3>
      {shown.length === 0 && steps.length > 0 ? (
        <p class="dim">Every step says the same on both sides.</p>
      ) : null}
      {shown.slice(0, MAX_STEPS).map((step, index) => (
        <Step key={step.left?.id ?? step.right?.id ?? index} step={step} />
      ))}
    </div>
  );
}

function isSame(left: Cell | undefined, right: Cell | undefined): boolean {
  return left !== undefined && right !== undefined && saysTheSame(left, right);
}

/** One step of both turns; what only one of them has is said in words. */
function Step({ step }: { readonly step: ComparedStep }): VNode | null {
  const { left, right } = step;
  const cell = left ?? right;
  if (cell === undefined) return null;
  const word =
    left === undefined ? "only right" : right === undefined ? "only left" : isSame(left, right) ? "same" : "";
  return (
    <details class={`compare-step ${word.replace(" ", "-")}`} open={word === ""}>
      <summary>
        <Icon name={iconOf(cell)} />
        <span class="what">{nameOf(cell)}</span>
        {word === "" ? null : <span class="dim">{word}</span>}
        <span class="compare-times">
          <span>{timeOf(left)}</span>
          <span>{timeOf(right)}</span>
        </span>
      </summary>
      <StepTexts left={left} right={right} />
    </details>
  );
}

function StepTexts({
  left,
  right,
}: {
  readonly left: Cell | undefined;
  readonly right: Cell | undefined;
}): VNode {
  const lefts = new Map(left === undefined ? [] : textsOf(left));
  const rights = new Map(right === undefined ? [] : textsOf(right));
  const names = [...new Set([...lefts.keys(), ...rights.keys()])];
  return (
    <>
      {names.map((name) => (
        <Texts key={name} title={name} left={lefts.get(name) ?? ""} right={rights.get(name) ?? ""} />
      ))}
    </>
  );
}

function iconOf(cell: Cell): string {
  if (cell.kind === "tool") return toolLook(cell.name).icon;
  const icons: { readonly [kind in Cell["kind"]]?: string } = {
    thinking: "lightbulb",
    model: "server-process",
    remark: "comment",
    answer: "sparkle",
    warning: "warning",
    error: "error",
  };
  return icons[cell.kind] ?? "json";
}

function nameOf(cell: Cell): string {
  if (cell.kind === "tool") return cell.name;
  if (cell.kind === "model") return cell.step > 0 ? `Step ${cell.step}` : "Model";
  return cell.kind.charAt(0).toUpperCase() + cell.kind.slice(1);
}

function timeOf(cell: Cell | undefined): string {
  return cell?.end === undefined ? "" : duration(cell.end - cell.start);
}

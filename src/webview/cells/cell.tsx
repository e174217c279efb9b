import type { VNode } from "preact";
import type { Failure } from "../../agent/failure.ts";
import type { Cell, ErrorCell, QuestionCell, ToolCell, TurnModel, WarningCell } from "../../trace/model.ts";
import { actionLabel } from "../actions.ts";
import { count } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { ShownCell } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import { toolLook } from "../tool-icons.ts";
import { memoryLine } from "../kept.tsx";
import { AnswerBody } from "./answer.tsx";
import { CardBody, CardHead } from "./card.tsx";
import { CompactionBody, compactionSummary, OutputBody, outputSummary } from "./context.tsx";
import { Head, StatusWord, timeOf, type Tone } from "./head.tsx";
import { LongText } from "./long-text.tsx";
import { ModelBody, modelSummary } from "./model-call.tsx";
import { RoundBody, roundSummary } from "./round.tsx";
import { SandboxBody, sandboxSummary } from "./sandbox.tsx";
import { ToolBody, toolOpensByItself, toolSummary } from "./tool.tsx";
import { VerdictBody, VerdictHead } from "./verdict.tsx";

/** What every cell's view is given. */
export interface CellProps<C extends ShownCell = ShownCell> {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: C;
  readonly now: number;
}

const THOUGHT_LENGTH = 160;
const FOLDING: ReadonlySet<ShownCell["kind"]> = new Set([
  ...["thinking", "model", "tool", "remark", "card"],
  ...["round", "verdict", "output", "compaction", "sandbox"],
] as ShownCell["kind"][]);
/** Of those that fold, what is open before the user says otherwise. */
const OPEN: ReadonlySet<ShownCell["kind"]> = new Set(["round", "output"]);

/** Whether a cell is open before the user says otherwise. */
export function opensByItself(cell: ShownCell): boolean {
  if (cell.kind === "tool") return toolOpensByItself(cell);
  return OPEN.has(cell.kind) || !FOLDING.has(cell.kind);
}

/** Whether a cell can be folded at all. */
export function folds(cell: ShownCell): boolean {
  return FOLDING.has(cell.kind);
}

/** The end of what was thought so far, on one line; nothing of it is parsed. */
function thoughtLine(cell: Cell & { readonly kind: "thinking" }): string {
  if (cell.status !== "running") return `${count(cell.text.length)} characters`;
  return cell.text.slice(-THOUGHT_LENGTH).replace(/\s+/g, " ").trim();
}

/** What a head line is made of. */
interface HeadParts {
  readonly icon: string;
  readonly tone: Tone;
  readonly what: string;
  readonly summary: string;
}

function lookOf({ name }: ToolCell): Pick<HeadParts, "icon" | "tone"> {
  const { icon, tone } = toolLook(name);
  return { icon, tone };
}

function headOf({ store, turn, cell, now }: CellProps<Cell>): HeadParts | undefined {
  switch (cell.kind) {
    case "thinking":
      return { icon: "lightbulb", tone: "thinking", what: "Thinking", summary: thoughtLine(cell) };
    case "remark":
      return { icon: "comment", tone: "model", what: "Remark", summary: cell.text.slice(0, THOUGHT_LENGTH) };
    case "model": {
      const what = cell.step > 0 ? `Step ${cell.step}` : "Model";
      return { icon: "server-process", tone: "model", what, summary: modelSummary(store, cell, now) };
    }
    case "tool":
      return { ...lookOf(cell), what: cell.name, summary: toolSummary(cell) };
    case "output":
      return { icon: "json", tone: "answer", what: "Output", summary: outputSummary(cell) };
    case "compaction":
      return { icon: "fold", tone: "warning", what: "Context", summary: compactionSummary(cell) };
    case "round": {
      const what = `Round ${cell.index}`;
      return { icon: "comment-discussion", tone: "tool", what, summary: roundSummary(turn, cell) };
    }
    case "sandbox":
      return { icon: "comment-discussion", tone: "tool", what: "Sandbox", summary: sandboxSummary(cell) };
    default:
      return undefined;
  }
}

/** What stands in a cell's head line; who it is of, where that is not who answers. */
export function CellHead({ store, turn, cell, now }: CellProps): VNode | null {
  if (cell.kind === "card") return <CardHead card={cell.card} />;
  if (cell.kind === "verdict") return <VerdictHead committee={cell.committee} />;
  const head = headOf({ store, turn, cell, now });
  if (head === undefined) return null;
  const summary = cell.agent === turn.agent ? head.summary : `${cell.agent} · ${head.summary}`;
  return <Head turn={turn} cell={cell} now={now} {...head} summary={summary} />;
}

/** The body of an open cell that folds. */
export function CellBody({ store, turn, cell, now }: CellProps): VNode | null {
  switch (cell.kind) {
    case "card":
      return <CardBody card={cell.card} />;
    case "verdict":
      return <VerdictBody committee={cell.committee} />;
    case "round":
      return <RoundBody store={store} turn={turn} cell={cell} now={now} />;
    case "sandbox":
      return <SandboxBody cell={cell} />;
    case "output":
      return <OutputBody cell={cell} />;
    case "compaction":
      return <CompactionBody store={store} turn={turn} cell={cell} />;
    case "thinking":
      return <ThinkingBody store={store} cell={cell} />;
    case "remark":
      return <AnswerBody store={store} turn={turn} cell={cell} />;
    case "model":
      return <ModelBody store={store} turn={turn} cell={cell} />;
    case "tool":
      return <ToolBody store={store} turn={turn} cell={cell} now={now} />;
    default:
      return null;
  }
}

function ThinkingBody({
  store,
  cell,
}: {
  readonly store: Store;
  readonly cell: Cell & { readonly kind: "thinking" };
}): VNode {
  return (
    <div class="thinking">
      <LongText store={store} cellId={cell.id} field="text" text={cell.text} label="Thinking" />
    </div>
  );
}

/** A cell that never folds: question, answer, warning, error. */
export function PlainCell(props: CellProps): VNode | null {
  const { cell } = props;
  switch (cell.kind) {
    case "question":
      return <Question {...props} cell={cell} />;
    case "answer":
      return <Answer {...props} />;
    case "warning":
      return <Warning store={props.store} turn={props.turn} cell={cell} />;
    case "error":
      return <Problem store={props.store} cell={cell} />;
    default:
      return null;
  }
}

function Question({ cell }: CellProps<QuestionCell>): VNode {
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

function Answer({ store, turn, cell, now }: CellProps): VNode | null {
  if (cell.kind !== "answer") return null;
  const streaming = cell.status === "running";
  const { grade } = turn;
  return (
    <>
      <div class="head">
        <span class="what">Answer</span>
        {grade === undefined ? null : <GradeBadge score={grade.score} />}
        <StatusWord cell={cell} />
        <span class="summary">{streaming ? "streaming" : (grade?.feedback ?? "")}</span>
        {streaming ? (
          <button type="button" class="quiet stop" onClick={() => store.cancel()}>
            <Icon name="debug-stop" /> Stop
          </button>
        ) : null}
        <span class="time">{timeOf(cell, now)}</span>
      </div>
      <AnswerBody store={store} turn={turn} cell={cell} />
      {memoryLine(turn) === "" ? null : (
        <div class="memory-line">
          <Icon name="database" tone="memory" /> {memoryLine(turn)}
        </div>
      )}
    </>
  );
}

/** A critic's grade; none is said in words and is no number. */
export function GradeBadge({ score }: { readonly score: number | null }): VNode {
  return score === null ? <span class="grade none">ungraded</span> : <span class="grade">{score}/5</span>;
}

function Warning(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: WarningCell;
}): VNode {
  const { store, turn, cell } = props;
  const { sessionId, turnId } = turn;
  return (
    <div class="warning">
      <span class="tone-warning">Warning</span> <span>{cell.message}</span>
      {cell.code === "no_synthesis" && turn.status !== "running" ? (
        <button
          type="button"
          class="secondary"
          title="Nobody is asked again: what was said is summed up once more"
          disabled={store.asking !== undefined}
          onClick={() => store.send({ type: "retry_synthesis", sessionId, turnId })}
        >
          Retry synthesis
        </button>
      ) : null}
    </div>
  );
}

function Problem({ store, cell }: { readonly store: Store; readonly cell: ErrorCell }): VNode {
  return <FailureBox store={store} failure={cell.failure} />;
}

/** What happened, what to do, and the button that does it. */
export function FailureBox(props: { readonly store: Store; readonly failure: Failure }): VNode {
  const { store, failure } = props;
  const label = actionLabel(failure);
  return (
    <div class="failure">
      <span>{failure.message}</span>
      {label === undefined ? null : (
        <button type="button" class="secondary" onClick={() => store.act(failure)}>
          {label}
        </button>
      )}
    </div>
  );
}

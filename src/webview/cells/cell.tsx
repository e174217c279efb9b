import type { VNode } from "preact";
import type { Cell, TextCell, ThinkingCell, ToolCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { characters, oneLine, tokenCount } from "../format.ts";
import type { ShownCell } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import { toolLook } from "../tool-icons.ts";
import { answerUse } from "../token-use.ts";
import { AfterBody, AfterHead, type AfterCell } from "./after.tsx";
import { AnswerBody } from "./answer.tsx";
import { CardBody, CardHead } from "./card.tsx";
import { CompactionBody, compactionSummary, OutputBody, outputSummary } from "./context.tsx";
import { Head, type Tone } from "./head.tsx";
import { LongText } from "./long-text.tsx";
import { ModelBody, modelSummary } from "./model-call.tsx";
import { RoundBody, roundSummary } from "./round.tsx";
import { SandboxBody, sandboxSummary } from "./sandbox.tsx";
import { ToolBody, toolOpensByItself, toolSummary } from "./tool.tsx";
import { VerdictBody, VerdictHead } from "./verdict.tsx";
import { CheckBody, checkSummary } from "./check.tsx";

/** What every cell's view is given. */
export interface CellProps<C extends ShownCell = ShownCell> {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: C;
  readonly now: number;
}

/** Characters of a running thought that stand on its line. */
const THOUGHT_LENGTH = 160;
const FOLDING: ReadonlySet<ShownCell["kind"]> = new Set([
  ...["thinking", "model", "tool", "remark", "card"],
  ...["round", "verdict", "output", "compaction", "check", "sandbox"],
  ...["grade", "pairwise", "feedback", "signs", "reward", "learnt"],
] as ShownCell["kind"][]);
const AFTER: ReadonlySet<ShownCell["kind"]> = new Set<ShownCell["kind"]>([
  ...(["grade", "pairwise", "feedback", "signs", "reward", "learnt"] as const),
]);
/** Of those that fold, what is open before the user says otherwise. */
const OPEN: ReadonlySet<ShownCell["kind"]> = new Set(["round", "output", "grade"]);

/** Whether a cell is open before the user says otherwise. */
export function opensByItself(cell: ShownCell): boolean {
  if (cell.kind === "tool") return toolOpensByItself(cell);
  return OPEN.has(cell.kind) || !FOLDING.has(cell.kind);
}

/** Whether a cell has a head line to fold to; all others fold to their first words. */
export function hasHead(cell: ShownCell): boolean {
  return FOLDING.has(cell.kind);
}

/** How much was thought; while it runs the end of what was thought so far, on one line. Nothing of it is parsed. */
function thoughtLine(turn: TurnModel, cell: ThinkingCell, open: boolean): string {
  if (isTail(cell, open)) return cell.text.slice(-THOUGHT_LENGTH).replace(/\s+/g, " ").trim();
  const use = answerUse(turn, cell);
  if (use === undefined) return characters(cell.text.length);
  return `${use.exact ? "" : "≈ "}${tokenCount(use.tokens)}`;
}

/** Whether a line shows the end of a text that grows: its newest words are to be seen, whatever room there is. */
function isTail(cell: Cell, open: boolean): boolean {
  return cell.kind === "thinking" && cell.status === "running" && !open;
}

/** What a head line is made of. */
interface HeadParts {
  readonly icon: string;
  readonly tone: Tone;
  readonly what: string;
  readonly summary: string;
}

/** What another agent came to on the way, or respondent B, is an answer of its own; all else that is said, a remark. */
function remarkName(turn: TurnModel, { id }: TextCell): string {
  return turn.cells.get(id)?.kind === "answer" ? "Its answer" : "Remark";
}

function lookOf({ name }: ToolCell): Pick<HeadParts, "icon" | "tone"> {
  const { icon, tone } = toolLook(name);
  return { icon, tone };
}

function headOf({ store, turn, cell, now }: CellProps<Cell>, open: boolean): HeadParts | undefined {
  switch (cell.kind) {
    case "thinking":
      return {
        icon: "lightbulb",
        tone: "thinking",
        what: "Thinking",
        summary: thoughtLine(turn, cell, open),
      };
    case "remark":
      // What is said stands below when it is open.
      return {
        ...{ icon: "comment", tone: "model", what: remarkName(turn, cell) },
        summary: open ? "" : oneLine(cell.text),
      };
    case "model": {
      const what = cell.step > 0 ? `Step ${cell.step}` : "Model";
      return { icon: "server-process", tone: "model", what, summary: modelSummary(store, cell, now) };
    }
    case "tool":
      return { ...lookOf(cell), what: cell.name, summary: toolSummary(cell, turn) };
    case "output":
      return { icon: "json", tone: "answer", what: "Output", summary: outputSummary(cell) };
    case "check":
      return { icon: "check", tone: "model", what: "Check", summary: checkSummary(turn, cell) };
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

function isAfter(cell: ShownCell): cell is AfterCell {
  return AFTER.has(cell.kind);
}

/** What stands in a cell's head line; who it is of, where that is not who answers. */
export function CellHead({
  store,
  turn,
  cell,
  now,
  open,
}: CellProps & { readonly open: boolean }): VNode | null {
  if (isAfter(cell)) return <AfterHead store={store} turn={turn} cell={cell} open={open} />;
  if (cell.kind === "card") return <CardHead card={cell.card} />;
  if (cell.kind === "verdict") return <VerdictHead committee={cell.committee} />;
  if (cell.kind === "ended") return null;
  const head = headOf({ store, turn, cell, now }, open);
  if (head === undefined) return null;
  const who = cell.agent === turn.agent ? [] : [cell.agent];
  const summary = [...who, head.summary].filter((word) => word !== "").join(" · ");
  return <Head turn={turn} cell={cell} now={now} {...head} summary={summary} tail={isTail(cell, open)} />;
}

/** The body of an open cell that folds. */
export function CellBody({ store, turn, cell, now }: CellProps): VNode | null {
  if (isAfter(cell)) return <AfterBody store={store} turn={turn} cell={cell} />;
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
    case "check":
      return <CheckBody turn={turn} cell={cell} />;
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

function ThinkingBody({ store, cell }: { readonly store: Store; readonly cell: ThinkingCell }): VNode {
  return (
    <div class="thinking">
      <LongText
        {...{ store, cellId: cell.id, field: "text", text: cell.text, label: "Thinking" }}
        growing={cell.status === "running"}
      />
    </div>
  );
}

import type { VNode } from "preact";
import type { CellBase } from "../../trace/cells.ts";
import type { Feedback, Grade, Pairwise } from "../../trace/judgements.ts";
import type { LearnedOfTurn, TurnModel } from "../../trace/model.ts";
import { duration, tokenCount, when } from "../format.ts";
import { Icon } from "../icon.tsx";
import { GradeBadge, GradeLine } from "../judge/grade.tsx";
import { LearntLines, memoryLine } from "../kept.tsx";
import type { Store } from "../store.ts";

/** What is said of a turn once it is over, as cells after its answer: they have no place in the turn's tree. */
export type AfterCell = CellBase &
  (
    | { readonly kind: "grade"; readonly grade: Grade }
    | { readonly kind: "pairwise"; readonly pairwise: Pairwise }
    | { readonly kind: "feedback"; readonly feedback: Feedback }
    | { readonly kind: "learnt"; readonly learned: LearnedOfTurn }
  );

/** The grade, the verdict between two, what the user said, and what memory learnt; what there is of them, in this order. */
export function afterCells(turn: TurnModel): readonly AfterCell[] {
  const { grade, pairwise, feedback, learned } = turn;
  const at = turn.end ?? turn.start;
  const base = (kind: AfterCell["kind"], time: number) => ({
    id: `${turn.turnId}/${kind}`,
    parentId: null,
    ...{ agent: turn.agent, respondent: "A", start: time, end: time },
    status: "done" as const,
    revision: 0,
    children: [],
  });
  return [
    ...(grade === undefined ? [] : [{ ...base("grade", grade.time ?? at), kind: "grade" as const, grade }]),
    ...(pairwise === undefined
      ? []
      : [{ ...base("pairwise", pairwise.time), kind: "pairwise" as const, pairwise }]),
    ...(feedback === undefined
      ? []
      : [{ ...base("feedback", feedback.time), kind: "feedback" as const, feedback }]),
    ...(learned === undefined ? [] : [{ ...base("learnt", at), kind: "learnt" as const, learned }]),
  ];
}

/** What a cell is made of; a view compares it to know when to draw again. */
export function contentOf(cell: AfterCell): unknown {
  switch (cell.kind) {
    case "grade":
      return cell.grade;
    case "pairwise":
      return cell.pairwise;
    case "feedback":
      return cell.feedback;
    case "learnt":
      return cell.learned;
  }
}

const RATINGS = {
  up: { icon: "thumbsup", word: "good" },
  down: { icon: "thumbsdown", word: "poor" },
} as const;

function winnerWords({ winner }: Pairwise): string {
  return winner === null ? "a tie" : `${winner} is better`;
}

/** What a head line is made of. */
interface HeadParts {
  readonly icon: string;
  readonly tone?: string;
  readonly what: string;
  readonly badge?: VNode;
  readonly summary: readonly string[];
  /** When it was, or how long it took. */
  readonly note: string;
}

/** A folded cell says it all on its one line; an open one leaves to its body what stands there. */
function headOf(store: Store, turn: TurnModel, cell: AfterCell, open: boolean): HeadParts {
  const now = store.now();
  const folded = (text: string) => (open ? [] : [text]);
  switch (cell.kind) {
    case "grade": {
      const { score, feedback, model, corrected, time } = cell.grade;
      const by = corrected === undefined ? model : `corrected by ${corrected.by}`;
      const at = corrected?.time ?? time;
      const badge = <GradeBadge score={score} />;
      const note = at === undefined ? "" : when(at, now);
      return { icon: "law", tone: "grade", what: "Grade", badge, summary: [by, ...folded(feedback)], note };
    }
    case "pairwise": {
      const { feedback, model, time } = cell.pairwise;
      const badge = <span class="grade">{winnerWords(cell.pairwise)}</span>;
      const summary = [model, ...folded(feedback)];
      return {
        icon: "arrow-swap",
        tone: "grade",
        what: "A against B",
        badge,
        summary,
        note: when(time, now),
      };
    }
    case "feedback": {
      const { rating, note = "", time } = cell.feedback;
      const { icon, word } = RATINGS[rating];
      return { icon, what: "Your feedback", summary: [word, ...folded(note)], note: when(time, now) };
    }
    case "learnt": {
      const note = duration(cell.learned["conclave.duration_ms"]);
      const summary = learntSummary(turn, cell.learned);
      return { icon: "database", tone: "memory", what: "Learnt", summary, note };
    }
  }
}

/** The head line of what is said of a turn once it is over. */
export function AfterHead(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: AfterCell;
  readonly open: boolean;
}): VNode {
  const { icon, tone, what, badge, summary, note } = headOf(props.store, props.turn, props.cell, props.open);
  return (
    <>
      <Icon name={icon} {...(tone === undefined ? {} : { tone })} />
      <span class="what">{what}</span>
      {badge}
      <span class="summary">{summary.filter((word) => word !== "").join(" · ")}</span>
      <span class="time">{note}</span>
    </>
  );
}

function learntSummary(turn: TurnModel, learned: LearnedOfTurn): readonly string[] {
  const skipped = learned.error?.message ?? learned["conclave.skipped"];
  const tokens = (learned["gen_ai.usage.input_tokens"] ?? 0) + (learned["gen_ai.usage.output_tokens"] ?? 0);
  const line = memoryLine(turn, "learnt");
  const what = skipped ?? (line === "" ? "nothing new" : line);
  return [what, ...(tokens > 0 ? [tokenCount(tokens)] : [])];
}

/** All that was said: whole, by whom, and what it replaced. */
export function AfterBody(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: AfterCell;
}): VNode {
  const { store, turn, cell } = props;
  switch (cell.kind) {
    case "grade":
      return (
        <GradeLine store={store} on={{ sessionId: turn.sessionId, turnId: turn.turnId }} grade={cell.grade} />
      );
    case "pairwise":
      return (
        <p class="said">{cell.pairwise.feedback === "" ? "No reason was given." : cell.pairwise.feedback}</p>
      );
    case "feedback":
      return (
        <p class="said">
          {cell.feedback.note ?? (
            <span class="dim">No note was written. The thumbs under the answer take one.</span>
          )}
        </p>
      );
    case "learnt":
      return <LearntLines turn={turn} />;
  }
}

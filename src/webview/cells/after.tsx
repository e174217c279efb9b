import type { VNode } from "preact";
import type { CellBase } from "../../trace/cells.ts";
import { SIGN_WORDS, signed, SOURCE_WORDS, whyUngraded } from "../../trace/judged-words.ts";
import type { Feedback, Grade, Reward, Sign } from "../../trace/judgements.ts";
import type { LearnedOfTurn, TurnModel } from "../../trace/model.ts";
import { duration, tokenCount, when } from "../format.ts";
import { Icon } from "../icon.tsx";
import { GradeBadge } from "../judge/badge.tsx";
import { GradeLine } from "../judge/grade.tsx";
import { LearntLines, memoryLine } from "../kept.tsx";
import type { Store } from "../store.ts";
import { PairBody, pairBadge, pairOf, pairSummary, pairTime, type Pair } from "./pair.tsx";
import { RewardBody, SignsBody } from "./reward.tsx";

/** What is said of a turn once it is over, as cells after its answer: they have no place in the turn's tree. */
export type AfterCell = CellBase &
  (
    | { readonly kind: "grade"; readonly grade: Grade }
    | { readonly kind: "pairwise"; readonly pair: Pair }
    | { readonly kind: "feedback"; readonly feedback: Feedback }
    | { readonly kind: "signs"; readonly signs: readonly Sign[] }
    | { readonly kind: "reward"; readonly reward: Reward }
    | { readonly kind: "learnt"; readonly learned: LearnedOfTurn }
  );

/** The key under which it is kept whether the steps of respondent B are open. */
export function otherKey(turnId: string): string {
  return `${turnId}/pairwise/steps`;
}

/**
 * The grade, the second answer with its verdict, what the user said and did, what that is worth, and what memory learnt;
 * what there is of them, in this order.
 */
export function afterCells(turn: TurnModel): readonly AfterCell[] {
  const { grade, feedback, signs = [], reward, learned } = turn;
  const at = turn.end ?? turn.start;
  const pair = pairOf(turn);
  const base = (kind: AfterCell["kind"], time: number) => ({
    id: `${turn.turnId}/${kind}`,
    parentId: null,
    ...{ agent: turn.agent, respondent: "A", start: time, end: time },
    status: "done" as const,
    revision: 0,
    children: [],
  });
  const cells: (AfterCell | undefined)[] = [
    grade && { ...base("grade", grade.time ?? at), kind: "grade", grade },
    pair && { ...base("pairwise", pairTime(pair) ?? at), kind: "pairwise", pair },
    feedback && { ...base("feedback", feedback.time), kind: "feedback", feedback },
    signs[0] && { ...base("signs", signs[0].time), kind: "signs", signs },
    reward && { ...base("reward", reward.time), kind: "reward", reward },
    learned && { ...base("learnt", at), kind: "learnt", learned },
  ];
  return cells.filter((cell) => cell !== undefined);
}

/** What a cell is made of; a view compares it to know when to draw again. */
export function contentOf(turn: TurnModel, cell: AfterCell): unknown {
  switch (cell.kind) {
    case "grade":
      return cell.grade;
    case "pairwise":
      // Its parts change by themselves.
      return turn.revision + (turn.other?.revision ?? 0);
    case "feedback":
      return cell.feedback;
    case "signs":
      return cell.signs;
    case "reward":
      return cell.reward;
    case "learnt":
      return cell.learned;
  }
}

const RATINGS = {
  up: { icon: "thumbsup", word: "good" },
  down: { icon: "thumbsdown", word: "poor" },
} as const;

/** What a head line is made of. */
interface HeadParts {
  readonly icon: string;
  readonly tone?: string;
  readonly what: string;
  readonly badge?: VNode | null;
  readonly summary: readonly string[];
  /** When it was, or how long it took. */
  readonly note: string;
}

function gradeHead(grade: Grade, now: number, open: boolean): HeadParts {
  const { score, feedback, model, corrected, time } = grade;
  const by = corrected === undefined ? model : `corrected by ${corrected.by}`;
  const at = corrected?.time ?? time;
  return {
    ...{ icon: "law", tone: "grade", what: "Grade" },
    badge: <GradeBadge score={score} why={whyUngraded(grade)} />,
    summary: [by, ...(open ? [] : [feedback])],
    note: at === undefined ? "" : when(at, now),
  };
}

/** A folded cell says it all on its one line; an open one leaves to its body what stands there. */
function headOf(store: Store, turn: TurnModel, cell: AfterCell, open: boolean): HeadParts {
  const now = store.now();
  const folded = (text: string) => (open ? [] : [text]);
  switch (cell.kind) {
    case "grade":
      return gradeHead(cell.grade, now, open);
    case "pairwise": {
      const time = pairTime(cell.pair);
      return {
        ...{ icon: "arrow-swap", tone: "grade", what: "A against B" },
        badge: pairBadge(cell.pair),
        summary: pairSummary(cell.pair, open),
        note: time === undefined ? "" : when(time, now),
      };
    }
    case "feedback": {
      const { rating, note = "", time } = cell.feedback;
      const { icon, word } = RATINGS[rating];
      return { icon, what: "Your feedback", summary: [word, ...folded(note)], note: when(time, now) };
    }
    case "signs": {
      const said = cell.signs.map(({ sign }) => SIGN_WORDS[sign]).join(", ");
      const last = cell.signs.at(-1)?.time ?? cell.start;
      return { icon: "pulse", what: "Concluded", summary: [`you ${said}`], note: when(last, now) };
    }
    case "reward": {
      const { value, reason, sources, time } = cell.reward;
      const made = sources.map(({ kind, worth }) => `${SOURCE_WORDS[kind]} ${signed(worth)}`).join(", ");
      const summary = [signed(value), ...folded(made === "" ? reason : made)];
      return { icon: "database", tone: "memory", what: "Worth to memory", summary, note: when(time, now) };
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
      return <PairBody store={store} turn={turn} pair={cell.pair} stepsKey={otherKey(turn.turnId)} />;
    case "feedback":
      return (
        <p class="said">
          {cell.feedback.note ?? (
            <span class="dim">No note was written. The thumbs under the answer take one.</span>
          )}
        </p>
      );
    case "signs":
      return <SignsBody signs={cell.signs} now={store.now()} />;
    case "reward":
      return <RewardBody reward={cell.reward} now={store.now()} />;
    case "learnt":
      return <LearntLines turn={turn} />;
  }
}

import type { VNode } from "preact";
import type { ForkEdit, TurnFork } from "../../agent/events-fork.ts";
import type { TurnModel } from "../../trace/model.ts";
import { diffWords } from "../../trace/word-diff.ts";
import { Icon } from "../icon.tsx";
import type { AgentCell } from "../../trace/cells.ts";
import type { ShownCell } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import { editAt, leavesAt, whatChanged } from "./origin.ts";

/** Branches that are named at a cell. */
const MAX_BRANCHES = 12;

/** Says of a fork what it branches off, where, and what was changed, with the way back. */
export function BranchHead({
  store,
  turn,
}: {
  readonly store: Store;
  readonly turn: TurnModel;
}): VNode | null {
  const { fork, sessionId } = turn;
  if (fork === undefined) return null;
  const question = store.rows.questionOf({ sessionId, turnId: fork.turnId });
  return (
    <p class="branch-head">
      <Icon name="git-branch" /> Branch of{" "}
      <button
        type="button"
        class="link"
        title="Show the turn that this one branches off"
        onClick={() => store.select({ sessionId, turnId: fork.turnId })}
      >
        {question === "" ? "an earlier turn" : question}
      </button>{" "}
      <span class="dim">
        {leavesAt(turn, fork)} · changed: {whatChanged(turn, fork)}
      </span>{" "}
      <button
        type="button"
        class="quiet"
        title="What the change made of it, side by side"
        onClick={() => store.compare.begin({ sessionId, turnId: fork.turnId }, turn)}
      >
        <Icon name="arrow-swap" /> Compare<span class="sr-only"> with the turn that it branches off</span>
      </button>
    </p>
  );
}

/** Whether a cell of a fork was changed, made anew or taken over, in a word. */
export function BranchWord(props: {
  readonly turn: TurnModel;
  readonly cell: ShownCell | AgentCell;
}): VNode | null {
  const { turn, cell } = props;
  if (turn.fork === undefined) return null;
  if (editAt(turn, cell) !== undefined) return <span class="word branch-word">changed</span>;
  return cell.replays === undefined ? null : <span class="word dim">as before</span>;
}

/** What was changed at a cell, word by word, and the branches that leave the turn there. */
export function BranchNotes(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: ShownCell | AgentCell;
}): VNode | null {
  const { store, turn, cell } = props;
  const edit = editAt(turn, cell);
  return (
    <>
      {edit === undefined || turn.fork === undefined ? null : (
        <Change store={store} turn={turn} fork={turn.fork} edit={edit} />
      )}
      <Branches store={store} turn={turn} cell={cell} />
    </>
  );
}

function Change(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly fork: TurnFork;
  readonly edit: ForkEdit;
}): VNode {
  const { store, turn, fork, edit } = props;
  const was = store.fork.textOf({ sessionId: turn.sessionId, turnId: fork.turnId }, edit.part, edit.eventId);
  if (was === undefined) return <p class="dim">Reading what it was…</p>;
  if (was === null) return <p class="dim">What it was is no longer in the trace.</p>;
  return (
    <div class="branch-change" role="group" aria-label="What was changed">
      <WordChanges before={was} after={edit.text} />
    </div>
  );
}

/** Two texts as one: what went is struck out, what came is underlined, and both say so to those who listen. */
export function WordChanges({ before, after }: { readonly before: string; readonly after: string }): VNode {
  return (
    <>
      {diffWords(before, after).map(({ kind, text }, index) => {
        if (kind === "removed") return <del key={index}>{text}</del>;
        return kind === "added" ? <ins key={index}>{text}</ins> : <span key={index}>{text}</span>;
      })}
    </>
  );
}

/** The beginning of an answer without the marks of its Markdown. */
function plain(text: string): string {
  return text.replace(/[*_`#]+/g, "").trim();
}

function Branches(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: ShownCell | AgentCell;
}): VNode | null {
  const { store, turn, cell } = props;
  const at = cell.kind === "question" ? undefined : cell.id;
  const rows = store.rows.branchesOf(turn, at).slice(0, MAX_BRANCHES);
  if (rows.length === 0) return null;
  return (
    <p class="branches">
      <Icon name="git-branch" /> {rows.length === 1 ? "1 branch" : `${rows.length} branches`} from here:{" "}
      {rows.map((row) => (
        <button type="button" class="link" key={row.turnId} onClick={() => store.select(row)}>
          {plain(row.answer === "" ? row.question : row.answer)}
        </button>
      ))}
    </p>
  );
}

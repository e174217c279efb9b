import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentCell, Cell, RoundCell, TextCell } from "../../trace/cells.ts";
import { agentName, type TurnModel } from "../../trace/model.ts";
import { cutKey } from "../../trace/posted.ts";
import { BranchActions } from "../fork/actions.tsx";
import { BranchEditor } from "../fork/editor.tsx";
import { BranchNotes, BranchWord } from "../fork/notes.tsx";
import { memberPlace } from "../fork/targets.ts";
import { count, elapsed, tokenCount } from "../format.ts";
import { Icon } from "../icon.tsx";
import { GradeBadge } from "../judge/badge.tsx";
import { GradeLine } from "../judge/grade.tsx";
import { whyUngraded } from "../../trace/judged-words.ts";
import { Thumbs } from "../judge/thumbs.tsx";
import { memberKey } from "../shown-cells.ts";
import type { Store } from "../store.ts";
import { toolLook } from "../tool-icons.ts";
import { StatusWord, timeOf } from "./head.tsx";
import { Markdown } from "./markdown.tsx";
import { onMemberKey } from "./members.ts";

/** Longer answers are clamped until they are opened; UTF-16 units. */
const CLAMPED = 420;
/** Badges that are drawn in one member's box. */
const MAX_BADGES = 4;

/** What a round's head line says. */
export function roundSummary(turn: TurnModel, cell: RoundCell): string {
  const members = membersOf(turn, cell);
  const failed = members.filter(({ status }) => status === "failed").length;
  const tokens = members.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  const isTalk = cell.parentId !== null && turn.cells.get(cell.parentId)?.kind === "sandbox";
  const what = isTalk ? "message" : "view";
  const how = cell.index === 1 ? ", each on its own" : ", having heard the others";
  const words = [
    `${count(members.length)} ${members.length === 1 ? what : `${what}s`}${isTalk ? "" : how}`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(tokens > 0 ? [tokenCount(tokens)] : []),
    ...(cell.agreed === undefined ? [] : [cell.agreed ? "they agree" : "they differ"]),
  ];
  return words.join(" · ");
}

function membersOf(turn: TurnModel, cell: RoundCell): readonly AgentCell[] {
  return cell.children.flatMap((id) => {
    const child = turn.cells.get(id);
    return child?.kind === "agent" ? [child] : [];
  });
}

/** The members of a round side by side. */
export function RoundBody(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: RoundCell;
  readonly now: number;
}): VNode {
  const { store, turn, cell, now } = props;
  const members = membersOf(turn, cell);
  const [active, setActive] = useState("");
  const focused = members.some(({ id }) => id === active) ? active : members[0]?.id;
  return (
    <>
      <div
        class="members"
        role="list"
        aria-label={`Members in round ${cell.index}`}
        onKeyDown={onMemberKey}
        onFocusCapture={({ target }) => {
          const box = target instanceof Element ? target.closest("[data-member]") : null;
          const id = box?.getAttribute("data-member");
          if (id != null) setActive(id);
        }}
      >
        {members.map((member) => (
          <Member
            key={member.id}
            {...{ store, turn, member, now }}
            round={cell}
            focusable={member.id === focused}
          />
        ))}
      </div>
      {members.map((member) => (
        <div key={member.id} class="member-branches">
          <BranchEditor store={store} id={member.id} />
          <BranchNotes store={store} turn={turn} cell={member} />
        </div>
      ))}
      {cell.agreement === undefined ? null : <div class="memory-line">{cell.agreement}</div>}
    </>
  );
}

/** Whether a member holds another view than the committee came to, by the verdict. */
function dissents(turn: TurnModel, round: RoundCell, member: AgentCell): boolean {
  const committee = round.parentId === null ? undefined : turn.cells.get(round.parentId);
  if (committee?.kind !== "committee" || committee.verdict === undefined) return false;
  const isLast = round.index === committee.roundsHad;
  return isLast && committee.verdict.minority.some(({ agent }) => agent === agentName(member));
}

function Member(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly round: RoundCell;
  readonly member: AgentCell;
  readonly now: number;
  readonly focusable: boolean;
}): VNode {
  const { store, turn, round, member, now } = props;
  const name = agentName(member);
  const standing = round.standings.find(({ agentId }) => agentId === member.id);
  const other = dissents(turn, round, member);
  const key = memberKey(member.id);
  const open = store.isOpen(key, false);
  const steps = member.children.filter((id) => turn.cells.get(id)?.kind === "step").length;
  return (
    <div
      class={other ? "member dissents" : "member"}
      role="listitem"
      data-member={member.id}
      tabIndex={props.focusable ? 0 : -1}
    >
      <div class="member-head">
        <span class="what" title={`${name} · ${member.model}`}>
          {name}
        </span>
        <StatusWord cell={member} />
        <BranchWord turn={turn} cell={member} />
        <BranchActions store={store} turn={turn} place={memberPlace(turn, member)} active={props.focusable} />
        <span class="time">{timeOf(member, now)}</span>
      </div>
      <Said store={store} turn={turn} member={member} now={now} />
      <div class="badges">
        <Badges turn={turn} member={member} />
        {steps === 0 ? null : (
          <button type="button" class="quiet" aria-expanded={open} onClick={() => store.fold(key, !open)}>
            {count(steps)} {steps === 1 ? "step" : "steps"}
            <span class="sr-only"> of {name}</span> <Icon name={open ? "chevron-up" : "chevron-down"} />
          </button>
        )}
        {other ? (
          <span class="tone-warning">
            <Icon name="git-branch" /> dissents
          </span>
        ) : null}
      </div>
      <Judge store={store} turn={turn} member={member} />
      {standing?.changed === true ? (
        <div class="changed">
          <Icon name="arrow-swap" /> changed: {standing.reason ?? "no reason was given"}
        </div>
      ) : null}
    </div>
  );
}

/** What the user and the critic think of what a member said. */
function Judge(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly member: AgentCell;
}): VNode | null {
  const { store, turn, member } = props;
  if (member.status !== "done" || (store.readOnly && member.grade === undefined)) return null;
  const on = { sessionId: turn.sessionId, turnId: turn.turnId, agentId: member.id };
  const of = agentName(member);
  return (
    <div class="judge">
      {member.grade === undefined ? null : (
        <GradeBadge score={member.grade.score} why={whyUngraded(member.grade)} />
      )}
      {store.readOnly ? null : <Thumbs store={store} on={on} feedback={member.feedback} of={of} />}
      <GradeLine store={store} on={on} grade={member.grade} of={of} folded />
    </div>
  );
}

/** The text that a member's answer streams into. */
function textOf(turn: TurnModel, ids: readonly string[]): TextCell | undefined {
  for (const id of ids.toReversed()) {
    const cell = turn.cells.get(id);
    if (cell?.kind === "answer") return cell;
    const inner = cell?.kind === "step" || cell?.kind === "model" ? textOf(turn, cell.children) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function Said(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly member: AgentCell;
  readonly now: number;
}): VNode {
  const { store, turn, member, now } = props;
  const key = `whole ${member.id}`;
  const whole = store.folds.isOpened(key);
  const cell = textOf(turn, member.children);
  const cut = cell === undefined ? undefined : store.shown.cuts.get(cutKey(cell.id, "text"));
  const fetched = cut === undefined ? undefined : store.details.get(cut);
  useEffect(() => {
    if (whole && cut !== undefined) store.details.fetch(turn, cut);
  }, [store, turn, cut, whole, fetched?.text.length]);
  if (member.error !== undefined)
    return (
      <p class="member-error">
        <Icon name="error" tone="error" /> {member.error.message}
      </p>
    );
  const said = cell?.text ?? member.answer;
  const text = fetched !== undefined && fetched.text.length > said.length ? fetched.text : said;
  if (text === "") {
    return (
      <p class="dim">
        {member.status === "running"
          ? `at work, ${elapsed(now - member.start)}`
          : member.status === "done"
            ? "said nothing"
            : "nothing of an answer was kept"}
      </p>
    );
  }
  const long = text.length > CLAMPED || cut !== undefined;
  return (
    <>
      <div class={long && !whole ? "said clamped" : "said"}>
        <Markdown text={text} complete={member.status !== "running"} />
      </div>
      {long ? (
        <button type="button" class="quiet" aria-expanded={whole} onClick={() => store.fold(key, !whole)}>
          {whole ? "Less" : "All of it"}
        </button>
      ) : null}
    </>
  );
}

/** The cells of a member's own steps; what it delegated is another's. */
function cellsUnder(turn: TurnModel, ids: readonly string[]): readonly Cell[] {
  return ids.flatMap((id) => {
    const cell = turn.cells.get(id);
    if (cell === undefined) return [];
    return cell.kind === "step" || cell.kind === "model" ? cellsUnder(turn, cell.children) : [cell];
  });
}

/** Which tools a member used, whether it thought, and how many tokens it wrote. */
function Badges({ turn, member }: { readonly turn: TurnModel; readonly member: AgentCell }): VNode {
  const inner = cellsUnder(turn, member.children);
  const words = new Map<string, string>();
  for (const cell of inner) {
    if (cell.kind !== "tool" || words.size >= MAX_BADGES) continue;
    const { icon, word } = toolLook(cell.name);
    words.set(word, icon);
  }
  const thought = inner.some(({ kind }) => kind === "thinking");
  return (
    <>
      {[...words].map(([word, icon]) => (
        <span key={word}>
          <Icon name={icon} /> {word}
        </span>
      ))}
      {thought ? (
        <span>
          <Icon name="lightbulb" /> thought
        </span>
      ) : null}
      {member.outputTokens === 0 ? null : (
        <span title={`${count(member.inputTokens)} tokens in, ${count(member.outputTokens)} out`}>
          {tokenCount(member.outputTokens)}
        </span>
      )}
    </>
  );
}

import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ActivityRecord, GradeRecord, VerdictRecord } from "../../trace/activity/records.ts";
import { ASKED_WORDS, JUDGE_WORDS } from "../../trace/judged-words.ts";
import { Markdown } from "../cells/markdown.tsx";
import { Fact } from "../fact-lines.tsx";
import { count, duration, when } from "../format.ts";
import { Icon, IconButton } from "../icon.tsx";
import { CompareButton, CriticButtons } from "../judge/ask-critic.tsx";
import { GradeBadge } from "../judge/badge.tsx";
import { FamilyWarning } from "../judge/details.tsx";
import { CorrectGrade } from "../judge/grade.tsx";
import type { Judged } from "../judge/thumbs.tsx";
import type { Store } from "../store.ts";
import { correctedWords } from "./corrected-words.ts";

/** A judgement laid open beside the list: all that is known of it, and what can be done with it in place. */
export function JudgedDetail(props: {
  readonly store: Store;
  readonly record: ActivityRecord;
  readonly close: () => void;
}): VNode | null {
  const { store, record, close } = props;
  const root = useRef<HTMLElement>(null);
  // On a narrow panel it stands below the list.
  useEffect(() => root.current?.scrollIntoView({ block: "nearest" }), []);
  if (record.kind !== "grade" && record.kind !== "verdict") return null;
  const on: Judged = { sessionId: record.sessionId, turnId: record.turnId };
  return (
    <aside
      ref={root}
      class="judged-detail"
      aria-label="The chosen judgement"
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <div class="side-head">
        {record.kind === "grade" ? (
          <GradeBadge score={record.score} why={record.ungraded} />
        ) : (
          <span class={record.winner === null ? "grade none" : "grade high"}>{verdictWords(record)}</span>
        )}
        <span class="dim">{when(record.time, store.now())}</span>
        <span class="space" />
        <IconButton icon="close" label="Close what is laid open" onClick={close} />
      </div>
      <h3>{record.question === "" ? "A turn without a question" : record.question}</h3>
      {record.feedback === "" ? null : (
        <div class="judged-said">
          <Markdown text={record.feedback} complete />
        </div>
      )}
      {record.kind === "grade" ? (
        <GradeFacts record={record} now={store.now()} />
      ) : (
        <VerdictFacts record={record} />
      )}
      <FamilyWarning family={record.sameFamily} />
      {record.raw === undefined ? null : (
        <p class="dim">
          The judge said, unreadable as it stands: <q>{record.raw}</q>
        </p>
      )}
      <Actions store={store} record={record} on={on} />
      <p class="dim">{record.kind === "grade" ? "A grade" : "A verdict"} is an opinion, not a proof.</p>
    </aside>
  );
}

function Actions(props: {
  readonly store: Store;
  readonly record: GradeRecord | VerdictRecord;
  readonly on: Judged;
}): VNode {
  const { store, record, on } = props;
  return (
    <div class="judged-actions">
      <button
        type="button"
        class="secondary"
        onClick={() =>
          record.kind === "grade" ? store.select(on) : store.selectAt(on, `${on.turnId}/pairwise`)
        }
      >
        {record.kind === "grade" ? "Show the turn" : "Open side by side"}
      </button>
      {record.kind === "verdict" || record.forgotten !== undefined ? null : (
        <GradeActions store={store} record={record} on={on} />
      )}
    </div>
  );
}

function GradeActions(props: {
  readonly store: Store;
  readonly record: GradeRecord;
  readonly on: Judged;
}): VNode {
  const { store, record, on } = props;
  const { agentId, score, other } = record;
  const own = agentId === undefined ? on : { ...on, agentId };
  return (
    <>
      {other === true ? null : <CorrectGrade store={store} on={own} score={score} of="" />}
      {other === true ? null : <CriticButtons store={store} on={own} of="" graded />}
      {agentId === undefined && other !== true ? <CompareButton store={store} on={on} /> : null}
    </>
  );
}

/** What both kinds of judgement say of how they came about. */
function Facts({ record }: { readonly record: GradeRecord | VerdictRecord }): VNode {
  const { judge, judgeKind, rubric, durationMs, attempts, askedBy } = record;
  return (
    <>
      <Fact name="judge" value={judge === "" ? undefined : judge} />
      <Fact name="asked" value={judgeKind === undefined ? undefined : JUDGE_WORDS[judgeKind]} />
      <Fact name="rubric" value={rubric} />
      <Fact name="took" value={durationMs === undefined ? undefined : duration(durationMs)} />
      <Fact name="requests" value={attempts === undefined ? undefined : count(attempts)} />
      <Fact name="made" value={askedBy === undefined ? undefined : ASKED_WORDS[askedBy]} />
    </>
  );
}

function GradeFacts({ record, now }: { readonly record: GradeRecord; readonly now: number }): VNode {
  const { agent, other, scores, spread, corrected } = record;
  return (
    <>
      {corrected === undefined ? null : <p>{correctedWords(corrected, now)}</p>}
      <Fact
        name="answer of"
        value={other === true ? `B${agent === "" ? "" : `, ${agent}`}` : agent || "the turn"}
      />
      <Facts record={record} />
      <Fact name="samples" value={scores?.map((score) => score ?? "none").join(", ")} />
      <Fact name="spread" value={spread === undefined ? undefined : count(spread)} />
    </>
  );
}

function verdictWords({ winner, orderBound, ungraded }: VerdictRecord): string {
  if (winner !== null) return `${winner} is better`;
  if (ungraded !== undefined) return "not compared";
  return orderBound === true ? "a tie: it went by the order" : "a tie";
}

function VerdictFacts({ record }: { readonly record: VerdictRecord }): VNode {
  const who = (side: VerdictRecord["a"]) =>
    side &&
    [side.agent, side.model, ...(side.temperature === undefined ? [] : [`at ${side.temperature}`])].join(
      " · ",
    );
  return (
    <>
      {record.ungraded === undefined ? null : (
        <p class="tone-error">
          <Icon name="error" tone="error" /> {record.ungraded}
        </p>
      )}
      <Fact name="A" value={who(record.a)} />
      <Fact name="B" value={who(record.b)} />
      {(record.orders ?? []).map(({ first, winner }) => (
        <Fact
          key={first}
          name={`${first} first`}
          value={winner === null ? "no choice" : `${winner} is better`}
        />
      ))}
      <Facts record={record} />
    </>
  );
}

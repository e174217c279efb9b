import type { VNode } from "preact";
import type {
  ActivityRecord,
  CallOutcome,
  CallRecord,
  GradeRecord,
  MemoryRecord,
  VerdictRecord,
} from "../../trace/activity/records.ts";
import { count, duration, when } from "../format.ts";
import { Icon } from "../icon.tsx";
import { GradeBadge } from "../judge/badge.tsx";
import { correctedWords } from "./corrected-words.ts";

const OUTCOMES: { readonly [outcome in CallOutcome]: { readonly icon: string; readonly tone?: string } } = {
  done: { icon: "check" },
  failed: { icon: "error", tone: "error" },
  interrupted: { icon: "error", tone: "error" },
  cancelled: { icon: "circle-slash" },
  running: { icon: "refresh" },
};

/** One record in two lines: what it was, then when, whose, and of which question. */
export function ActivityRow(props: {
  readonly record: ActivityRecord | undefined;
  readonly now: number;
}): VNode {
  const { record, now } = props;
  if (record === undefined) return <span class="dim">…</span>;
  return (
    <>
      <span class="activity-what">{whatOf(record, now)}</span>
      <span class="activity-end num dim">{endOf(record)}</span>
      <span class="activity-more dim">
        <span class="nowrap">{when(record.time, now)}</span>
        {record.private === true ? (
          <span title="private: in this window only">
            <Icon name="lock" />
            <span class="sr-only">private</span>
          </span>
        ) : null}
        {whoOf(record) === "" ? null : <span class="nowrap">{whoOf(record)}</span>}
        <span class="ellipsis">{record.question === "" ? "a turn without a question" : record.question}</span>
      </span>
    </>
  );
}

function whatOf(record: ActivityRecord, now: number): VNode {
  switch (record.kind) {
    case "call":
      return <Call record={record} />;
    case "grade":
      return <GradeText record={record} now={now} />;
    case "verdict":
      return <VerdictText record={record} />;
    case "memory":
      return <MemoryText record={record} />;
  }
}

function Call({ record }: { readonly record: CallRecord }): VNode {
  const { icon, tone } = OUTCOMES[record.outcome];
  const said = record.outcome === "done" || record.said !== "" ? record.said : record.outcome;
  const isForgotten = record.forgotten !== undefined;
  return (
    <>
      <Icon name={icon} {...(tone === undefined ? {} : { tone })} />
      {said === record.outcome ? null : <span class="sr-only">{record.outcome}: </span>}
      <span class="activity-text">{record.arguments === "" ? "no arguments" : record.arguments}</span>
      {said === "" || isForgotten ? null : (
        <span class={`ellipsis ${tone === undefined ? "dim" : `tone-${tone}`}`}> {said}</span>
      )}
    </>
  );
}

function GradeText({ record, now }: { readonly record: GradeRecord; readonly now: number }): VNode {
  const { corrected, feedback } = record;
  return (
    <>
      <GradeBadge score={record.score} why={record.ungraded} />
      <span class="ellipsis">
        {corrected === undefined ? plainWords(feedback) : correctedWords(corrected, now)}
      </span>
    </>
  );
}

function VerdictText({ record }: { readonly record: VerdictRecord }): VNode {
  const { winner } = record;
  return (
    <>
      <Icon name="law" />
      <span class="nowrap">{winner === null ? tieWords(record) : `answer ${winner} is better`}</span>
      <span class="ellipsis dim">{plainWords(record.feedback)}</span>
    </>
  );
}

function tieWords({ ungraded, orderBound }: VerdictRecord): string {
  if (ungraded !== undefined) return "not compared";
  return orderBound === true ? "a tie: it went by the order" : "a tie";
}

/** A line of what was written without the marks of its Markdown. */
function plainWords(text: string): string {
  return text.replace(/[*_`#]+/g, "");
}

function MemoryText({ record }: { readonly record: MemoryRecord }): VNode {
  const parts: readonly (readonly [number | undefined, string])[] = [
    [record.recalled, "recalled"],
    [record.extracted, "learnt"],
    [record.updated, "updated"],
    [record.rejected, "rejected"],
  ];
  const told = parts.flatMap(([value, word]) => (value ? [`${count(value)} ${word}`] : []));
  return (
    <>
      <Icon name="database" tone="memory" />
      <span class="nowrap">{told.length === 0 ? "nothing recalled or learnt" : told.join(" · ")}</span>
      <span class="ellipsis dim">{record.forgotten === undefined ? record.said : ""}</span>
    </>
  );
}

function whoOf(record: ActivityRecord): string {
  switch (record.kind) {
    case "call":
      return record.agent;
    case "grade":
      return [record.other === true ? "B" : "", record.agent].filter(Boolean).join(" · ");
    case "verdict":
      return "";
    case "memory":
      return record.by === "" ? "" : `read by ${record.by}`;
  }
}

function endOf(record: ActivityRecord): string {
  if (record.kind === "grade" || record.kind === "verdict") return record.judge;
  if (record.kind !== "call" || record.durationMs === undefined) return "";
  const tries = record.attempts > 1 ? `${count(record.attempts)} tries · ` : "";
  return `${tries}${duration(record.durationMs)}`;
}

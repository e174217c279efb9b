import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { gradeWord } from "../../trace/judged-words.ts";
import { safeLink } from "../../trace/links.ts";
import { answerCell, type TurnModel } from "../../trace/model.ts";
import type { DrawnTurn } from "../../trace/notebook/turn-output.ts";
import type { Cuts } from "../../trace/posted.ts";
import { Markdown } from "../cells/markdown.tsx";
import { count, duration } from "../format.ts";
import { memoryLine } from "../kept.tsx";
import { Body } from "./bodies.tsx";
import { Icon } from "./icons.tsx";
import { onRowKey } from "./keys.ts";
import { MAX_ROWS, rowsOf, timeOf, type Row } from "./rows.ts";

const MAX_SOURCES = 20;

/** Which lines of a turn are open; kept by whoever draws it, so that a drawing that is made anew shows the same. */
export type OpenRows = Set<string>;

/** A turn: its steps as folded lines, then the answer, then what it cost. */
export function Turn({ drawn, open }: { readonly drawn: DrawnTurn; readonly open: OpenRows }): VNode {
  const [, redraw] = useState(0);
  const { turn, cuts, output } = drawn;
  const rows = rowsOf(turn, (id) => open.has(id));
  const fold = (id: string): void => {
    if (!open.delete(id)) open.add(id);
    redraw((times) => times + 1);
  };
  return (
    <section class="turn" aria-label={`Turn, ${turn.status}`}>
      {output.asked === undefined ? null : (
        <p class="dim">Asked with other words: {output.asked.slice(0, 300)}</p>
      )}
      <References turn={turn} />
      <div class="rows" onKeyDown={onRowKey}>
        {rows.slice(0, MAX_ROWS).map((row) => (
          <RowView key={row.id} row={row} cuts={cuts} isOpen={open.has(row.id)} fold={fold} />
        ))}
      </div>
      {rows.length > MAX_ROWS ? (
        <p class="dim">More steps stand in the file, and in its trace view.</p>
      ) : null}
      {output.omitted > 0 ? (
        <p class="dim">{count(output.omitted)} events are left out here. They stand in the file.</p>
      ) : null}
      <Answer turn={turn} />
      <Standing turn={turn} />
    </section>
  );
}

function RowView(props: {
  readonly row: Row;
  readonly cuts: Cuts;
  readonly isOpen: boolean;
  readonly fold: (id: string) => void;
}): VNode {
  const { row, cuts, isOpen, fold } = props;
  const { cell } = row;
  const ended = cell.status === "done" || cell.status === "running" ? "" : cell.status;
  return (
    <div class={`row depth-${Math.min(4, row.depth)}`}>
      <button type="button" class="head" aria-expanded={isOpen} onClick={() => fold(row.id)}>
        <span class={isOpen ? "fold open" : "fold"}>
          <Icon name="chevron" />
        </span>
        <Icon name={row.icon} tone={row.tone} />
        <span class="what">{row.what}</span>
        {ended === "" ? null : (
          <span class={ended === "failed" ? "word tone-error" : "word dim"}>{ended}</span>
        )}
        <span class="summary">{row.summary}</span>
        <span class="time">{cell.status === "running" ? "running" : timeOf(cell)}</span>
      </button>
      {isOpen ? (
        <div class="body">
          <Body cell={cell} cuts={cuts} />
        </div>
      ) : null}
    </div>
  );
}

function References({ turn }: { readonly turn: TurnModel }): VNode | null {
  const [question] = [...turn.cells.values()].filter((cell) => cell.kind === "question");
  if (question === undefined || question.references.length === 0) return null;
  return <p class="dim">Attached: {question.references.map(({ label }) => label).join(", ")}</p>;
}

function Answer({ turn }: { readonly turn: TurnModel }): VNode | null {
  const running = turn.status === "running";
  const text = turn.answer !== "" ? turn.answer : running ? (answerCell(turn)?.text ?? "") : "";
  if (text === "" && turn.error === undefined) return null;
  return (
    <>
      {text === "" ? null : (
        <div class="answer">
          <Markdown text={text} complete={!running} />
        </div>
      )}
      {turn.error === undefined ? null : (
        <p class="failure">
          <Icon name="error" tone="error" /> {turn.error.message}
        </p>
      )}
      <Sources turn={turn} />
    </>
  );
}

function Sources({ turn }: { readonly turn: TurnModel }): VNode | null {
  if (turn.sources.length === 0) return null;
  return (
    <>
      <p class="label">Sources</p>
      <ol class="sources" aria-label="Sources">
        {turn.sources.slice(0, MAX_SOURCES).map(({ uri, title }, at) => {
          const href = safeLink(uri);
          const name = title === "" ? uri : title;
          return (
            <li key={at}>
              {href === undefined ? (
                <span>{name}</span>
              ) : (
                <a href={href} title={href}>
                  {name}
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

const ENDS: { readonly [status in TurnModel["status"]]: string } = {
  running: "running",
  answered: "answered",
  failed: "failed",
  cancelled: "cancelled",
  interrupted: "interrupted: its log has no end",
};

/** How the turn went and what it cost, on one line. */
function Standing({ turn }: { readonly turn: TurnModel }): VNode {
  const { grade, feedback, pairwise } = turn;
  const score = grade?.score ?? null;
  const parts = [
    turn.durationMs === undefined
      ? ENDS[turn.status]
      : `${ENDS[turn.status]} in ${duration(turn.durationMs)}`,
    `${count(turn.inputTokens)} tokens in, ${count(turn.outputTokens)} out`,
    memoryLine(turn),
    feedback === undefined ? "" : `thumbs ${feedback.rating}`,
    pairwise === undefined ? "" : `A against B: ${pairwise.winner ?? "a tie"}`,
  ];
  return (
    <p class="standing">
      {grade === undefined ? null : (
        <span class="grade" title={grade.feedback}>
          {score === null ? "not graded" : `grade ${score}/5 ${gradeWord(score)}`}
        </span>
      )}
      <span class="dim">{parts.filter((part) => part !== "").join(" · ")}</span>
    </p>
  );
}

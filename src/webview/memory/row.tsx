import type { VNode } from "preact";
import { relationText } from "../../agent/memory/text.ts";
import type { MemoryLine } from "../../trace/panel-memory.ts";
import { Icon } from "../icon.tsx";
import { whyRecalled } from "../score-parts.ts";
import { ScoreBar } from "../score-bar.tsx";
import type { Store } from "../store.ts";
import type { CellMore } from "./column.tsx";
import { MAIN_COLUMN, episodeTitle, type Column } from "./columns.tsx";
import { editable } from "./edits.ts";
import { Editor } from "./editor.tsx";

/** A column that is there in ranked searches only. */
export const WHY = "why";

/** What a row is called, for those who listen. */
export function nameOf(line: MemoryLine): string {
  switch (line.table) {
    case "episodes":
      return episodeTitle(line.row);
    case "facts":
      return line.row.text;
    case "relationships":
      return relationText(line.row);
    case "people":
      return line.row.name;
    case "resources":
      return line.row.title === "" ? line.row.uri : line.row.title;
    case "moments":
      return line.row.title === "" ? line.row.text : line.row.title;
  }
}

interface RowProps {
  readonly store: Store;
  readonly line: MemoryLine | undefined;
  readonly index: number;
  /** The line of the table that it is for those who listen: the head is 1. */
  readonly ariaIndex: number;
  readonly top: number;
  readonly columns: readonly Column[];
  /** The column one is in; -1 when one is not in this row. */
  readonly active: number;
  readonly onCell: (column: number, event: MouseEvent) => void;
  readonly onEdit: (column: number) => void;
  readonly onSelect: () => void;
}

/** A line of the table. One that has not come yet holds its place. */
export function Row(props: RowProps): VNode {
  const { store, line, index, columns } = props;
  const { memory } = store;
  const style = { transform: `translateY(${props.top}px)` };
  if (line === undefined) {
    return (
      <div class="memory-row coming" role="row" aria-rowindex={props.ariaIndex} style={style}>
        <div role="gridcell" aria-colindex={1} aria-colspan={columns.length + 1}>
          <span class="dim">…</span>
        </div>
      </div>
    );
  }
  const selected = memory.choice.selection.has(line.row.id);
  const open = memory.tab.open?.id === line.row.id;
  const over = (line.table === "facts" || line.table === "relationships") && line.row.validTo !== null;
  const states = [selected && "selected", open && "open", over && "over", props.active >= 0 && "here"];
  return (
    <div
      class={["memory-row", ...states].filter(Boolean).join(" ")}
      role="row"
      aria-rowindex={props.ariaIndex}
      aria-selected={selected}
      style={style}
    >
      <div role="gridcell" aria-colindex={1} class="pick">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={selected}
          aria-label={`Select: ${nameOf(line)}`}
          onChange={props.onSelect}
        />
      </div>
      {columns.map((column, at) => (
        <Cell
          key={column.key}
          store={store}
          line={line}
          column={column}
          id={`memory-${index}-${at}`}
          colIndex={at + 2}
          open={open}
          active={props.active === at}
          onClick={(event) => props.onCell(at, event)}
          onEdit={() => props.onEdit(at)}
        />
      ))}
    </div>
  );
}

interface CellProps {
  readonly store: Store;
  readonly line: MemoryLine;
  readonly column: Column;
  readonly id: string;
  readonly colIndex: number;
  readonly open: boolean;
  readonly active: boolean;
  readonly onClick: (event: MouseEvent) => void;
  readonly onEdit: () => void;
}

function Cell(props: CellProps): VNode {
  const { store, line, column, open } = props;
  const main = MAIN_COLUMN[line.table] === column.key;
  const { now: editing } = store.memory.editing;
  const here = editing?.where === "cell" && editing.id === line.row.id && editing.field === column.key;
  const now = store.now();
  const changeable = editable(line.table, column.key) !== undefined;
  const more: CellMore = { line, session: (sessionId) => store.rows.sessionName(sessionId) };
  return (
    <div
      id={props.id}
      role="gridcell"
      class={[column.num && "num", main && "main", props.active && "active"].filter(Boolean).join(" ")}
      aria-colindex={props.colIndex}
      aria-readonly={!changeable}
      title={here ? undefined : column.title?.(line.row, now, more)}
      {...(main ? { "aria-expanded": open } : {})}
      onClick={props.onClick}
      onDblClick={changeable && !main ? props.onEdit : undefined}
    >
      {main ? <Icon name={open ? "chevron-down" : "chevron-right"} /> : null}
      {here ? (
        <Editor memory={store.memory} line={line} editing={editing} />
      ) : column.key === WHY ? (
        <Why line={line} now={now} />
      ) : (
        <span class="text">{column.cell(line.row, now, more)}</span>
      )}
    </div>
  );
}

function Why({ line, now }: { readonly line: MemoryLine; readonly now: number }): VNode | null {
  const { score } = line;
  if (score === undefined) return null;
  const notes = line.table === "episodes" ? line.row.notes : undefined;
  return (
    <>
      <ScoreBar score={score.value} parts={score.parts} why={whyRecalled(score.parts, { notes, now })} />
      <span class="num">{score.value.toFixed(2)}</span>
    </>
  );
}

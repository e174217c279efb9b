import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { columnsOf, MAIN_COLUMN, type Column } from "./columns.tsx";
import { Detail, pinEdit } from "./detail.tsx";
import { editable, firstEditable } from "./edits.ts";
import { gridAction, type GridAction, type Place } from "./keys.ts";
import { Row, WHY } from "./row.tsx";
import type { MemoryState } from "./state.ts";
import { ROW_HEIGHT, useWindow, type RowWindow } from "./use-window.ts";

/** A narrower table leaves out what is not needed to see what was recalled and why, in pixels. */
const NARROW = 420;

/** How high an open row is taken to be before it is measured, in pixels. */
const USUAL_DETAIL = 220;

const whyColumn = (width: number): Column => ({
  key: WHY,
  label: width < NARROW ? "Why" : "Why recalled",
  track: width < NARROW ? "98px" : "136px",
  min: 0,
  cell: () => null,
});

/** The columns that are shown: in a ranked search also why, and none of them sorts. */
function shownColumns(memory: MemoryState, width: number): readonly Column[] {
  const columns = columnsOf(memory.table, width);
  if (!memory.searches) return columns;
  const kept = width < NARROW ? columns.filter(({ key }) => key === MAIN_COLUMN[memory.table]) : columns;
  return [...kept.map(({ sort: _, ...column }) => column), whyColumn(width)];
}

/**
 * The table. One moves over it by the arrow keys, and opens, edits, selects and forgets rows by Enter, F2, Space and
 * Delete; the focus stays with the table, which says where one is.
 */
export function Grid({ store }: { readonly store: Store }): VNode {
  const { memory } = store;
  const scroll = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>({ row: 0, column: 1 });
  const [detailHeight, setDetailHeight] = useState(USUAL_DETAIL);
  const count = memory.total ?? 0;
  const open = memory.tab.open === null || memory.tab.open.index >= count ? -1 : memory.tab.open.index;
  const rows = useWindow({
    count,
    scroll,
    open,
    openHeight: detailHeight,
    onTop: (top) => memory.scrolled(top),
  });
  const columns = shownColumns(memory, rows.width);
  const at: Place = {
    row: Math.min(place.row, count - 1),
    column: Math.min(place.column, columns.length - 1),
  };
  useEffect(() => memory.need(rows.first, rows.last));
  useLayoutEffect(() => {
    if (scroll.current !== null) scroll.current.scrollTop = memory.tab.top;
  }, [memory.table, memory.revision]);
  useFocusBack(memory, scroll);
  const go = (to: Place) => {
    setPlace(to);
    if (to.row >= 0) rows.reveal(to.row);
  };
  const context: GridContext = { memory, columns, at, go };
  const drawn = at.row < 0 || (at.row >= rows.first && at.row <= rows.last);
  return (
    <div
      class="memory-grid"
      ref={scroll}
      role="grid"
      aria-label={memory.table}
      aria-multiselectable={true}
      aria-rowcount={count + 1 + (open >= 0 ? 1 : 0)}
      aria-colcount={columns.length + 1}
      aria-busy={memory.waiting}
      {...(drawn ? { "aria-activedescendant": cellId(at) } : {})}
      tabIndex={0}
      style={{ "--tracks": ["26px", ...columns.map(({ track }) => track)].join(" ") }}
      onScroll={rows.onScroll}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        const extent = { rows: count, columns: columns.length, page: rows.inSight };
        const action = gridAction(event, at, extent);
        if (action === undefined) return;
        event.preventDefault();
        act(action, context);
      }}
    >
      <HeadRow memory={memory} columns={columns} at={at} onSort={(column) => sort(memory, column)} />
      <div class="memory-lines" role="rowgroup" style={{ height: `${rows.height}px` }}>
        <Lines store={store} context={context} rows={rows} open={open} onHeight={setDetailHeight} />
      </div>
    </div>
  );
}

interface GridContext {
  readonly memory: MemoryState;
  readonly columns: readonly Column[];
  readonly at: Place;
  readonly go: (to: Place) => void;
}

function cellId({ row, column }: Place): string {
  return row < 0 ? `memory-head-${column}` : `memory-${row}-${column}`;
}

/** An editor that goes away leaves the focus to the table. */
function useFocusBack(memory: MemoryState, grid: { readonly current: HTMLElement | null }): void {
  const editing = memory.editing.now !== null;
  const was = useRef(editing);
  useLayoutEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (was.current && !editing && lost) grid.current?.focus({ preventScroll: true });
    was.current = editing;
  }, [editing]);
}

function sort(memory: MemoryState, column: Column): void {
  if (column.sort !== undefined) memory.sortBy(column.sort);
}

function act(action: GridAction, context: GridContext): void {
  const { memory, at, go } = context;
  const line = memory.line(at.row);
  switch (action.do) {
    case "move":
      if (action.extend && action.to.row !== at.row) {
        memory.choice.selection.begin(Math.max(0, at.row));
        memory.choice.extend(action.to.row);
      }
      go(action.to);
      return;
    case "select":
      if (line !== undefined) memory.choice.select(line, at.row);
      return;
    case "all":
      memory.choice.selectAll();
      return;
    case "enter":
      enter(context);
      return;
    case "edit":
      edit(context, at.column);
      return;
    case "forget":
      memory.choice.forget(line);
      return;
    case "leave":
      if (memory.tab.open !== null && memory.tab.open.id === line?.row.id) memory.toggle(line, at.row);
      else memory.choice.unselect();
      return;
  }
}

/** Enter: sorts from the head; in a row it edits what can be edited there, pins, or opens the row. */
function enter(context: GridContext): void {
  const { memory, columns, at } = context;
  const column = columns[at.column];
  const line = memory.line(at.row);
  if (column === undefined) return;
  if (at.row < 0) sort(memory, column);
  else if (line === undefined) return;
  else if (column.key === "pinned") pin(context);
  else if (column.key !== MAIN_COLUMN[memory.table] && editable(memory.table, column.key) !== undefined)
    edit(context, at.column);
  else memory.toggle(line, at.row);
}

function pin({ memory, at }: GridContext): void {
  const line = memory.line(at.row);
  const change = line === undefined ? undefined : pinEdit(line);
  if (change !== undefined) memory.editing.set(change);
}

function edit({ memory, columns, at }: GridContext, column: number): void {
  const line = memory.line(at.row);
  const key = columns[column]?.key ?? "";
  const field = editable(memory.table, key) === undefined ? firstEditable(memory.table) : key;
  if (line !== undefined && field !== undefined) memory.edit(line, at.row, field);
}

function HeadRow(props: {
  readonly memory: MemoryState;
  readonly columns: readonly Column[];
  readonly at: Place;
  readonly onSort: (column: Column) => void;
}): VNode {
  const { memory, columns, at } = props;
  const { sort: by } = memory.tab;
  return (
    <div class="memory-head" role="row" aria-rowindex={1}>
      <div role="columnheader" aria-colindex={1} class="pick">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={memory.choice.count > 0 && memory.choice.count === memory.total}
          aria-label="Select all that match"
          title="Select all that match"
          onChange={(event) =>
            event.currentTarget.checked ? memory.choice.selectAll() : memory.choice.unselect()
          }
        />
      </div>
      {columns.map((column, index) => {
        const sorted = column.sort !== undefined && column.sort === by.column;
        const active = at.row < 0 && at.column === index;
        const names = [column.num && "num", active && "active", column.sort !== undefined && "sorts"];
        return (
          <div
            key={column.key}
            id={`memory-head-${index}`}
            role="columnheader"
            aria-colindex={index + 2}
            class={names.filter(Boolean).join(" ")}
            title={column.sort === undefined ? undefined : `Sort by ${column.label.toLowerCase()}`}
            {...(sorted ? { "aria-sort": by.ascending ? "ascending" : "descending" } : {})}
            onClick={() => props.onSort(column)}
          >
            {column.key === "pinned" ? (
              <>
                <Icon name="pin" />
                <span class="sr-only">{column.label}</span>
              </>
            ) : (
              <span class="text">{column.label}</span>
            )}
            {sorted ? <Icon name={by.ascending ? "arrow-up" : "arrow-down"} /> : null}
          </div>
        );
      })}
    </div>
  );
}

function Lines(props: {
  readonly store: Store;
  readonly context: GridContext;
  readonly rows: RowWindow;
  readonly open: number;
  readonly onHeight: (height: number) => void;
}): VNode {
  const { store, context, rows, open } = props;
  const { memory, columns, at, go } = context;
  const drawn = Array.from({ length: Math.max(0, rows.last - rows.first + 1) }, (_, n) => rows.first + n);
  const { whole } = memory;
  return (
    <>
      {drawn.map((index) => {
        const line = memory.line(index);
        return (
          <Row
            key={line?.row.id ?? `coming ${index}`}
            store={store}
            line={line}
            index={index}
            ariaIndex={index + 2 + (open >= 0 && index > open ? 1 : 0)}
            top={rows.top(index)}
            columns={columns}
            active={index === at.row ? at.column : -1}
            onSelect={() => line !== undefined && memory.choice.select(line, index)}
            onEdit={(column) => edit({ ...context, at: { row: index, column } }, column)}
            onCell={(column, event) => {
              go({ row: index, column });
              if (line === undefined) return;
              if (event.shiftKey) memory.choice.extend(index);
              else if (event.ctrlKey || event.metaKey) memory.choice.select(line, index);
              else if (columns[column]?.key === "pinned") pin({ ...context, at: { row: index, column } });
              else if (columns[column]?.key === MAIN_COLUMN[memory.table]) memory.toggle(line, index);
            }}
          />
        );
      })}
      {open < 0 || whole === null ? null : (
        <div
          key={`detail ${whole.id}`}
          class="memory-open"
          role="row"
          aria-rowindex={open + 3}
          style={{ transform: `translateY(${rows.top(open) + ROW_HEIGHT}px)` }}
        >
          <div role="gridcell" aria-colindex={1} aria-colspan={columns.length + 1}>
            <Detail store={store} whole={whole} onHeight={props.onHeight} />
          </div>
        </div>
      )}
    </>
  );
}

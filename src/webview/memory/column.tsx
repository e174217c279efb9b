import type { ComponentChildren, VNode } from "preact";
import type { MemoryRows, MemoryTable } from "../../agent/memory/types.ts";
import type { MemoryLine } from "../../trace/panel-memory.ts";
import { age, when } from "../format.ts";
import { Icon } from "../icon.tsx";

/** What a cell may say beside what its row holds. */
export interface CellMore {
  readonly line: MemoryLine;
  /** What a session is called. */
  readonly session: (sessionId: string) => string;
}

/** A column of a table. */
export interface Column<T extends MemoryTable = MemoryTable> {
  /** The field it shows; also the one that is edited in it. */
  readonly key: string;
  readonly label: string;
  /** A track of a CSS grid. */
  readonly track: string;
  /** It is shown in tables of at least this width, in pixels. */
  readonly min: number;
  /** The store can sort by it. */
  readonly sort?: string;
  /** Figures stand on the right. */
  readonly num?: true;
  cell(row: MemoryRows[T], now: number, more: CellMore): ComponentChildren;
  /** The whole of it, on hover. */
  title?(row: MemoryRows[T], now: number, more: CellMore): string;
}

/** A column that says how long ago something was. */
export function aged<T extends MemoryTable>(key: string, of: (row: MemoryRows[T]) => number): Column<T> {
  return {
    key,
    label: "Age",
    track: "58px",
    min: 0,
    sort: key,
    cell: (row, now) => <span class="dim">{age(of(row), now)}</span>,
    title: (row, now) => when(of(row), now),
  };
}

/** The column of pins, but for its cells. */
export const pin = { key: "pinned", label: "Pin", track: "40px", min: 0 } as const;

/** Says that a row is pinned. */
export function Pinned({ on }: { readonly on: boolean }): VNode | null {
  return on ? (
    <>
      <Icon name="pinned" tone="memory" />
      <span class="sr-only">pinned</span>
    </>
  ) : null;
}

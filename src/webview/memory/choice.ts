import type { MemoryTable } from "../../agent/memory/types.ts";
import type { MemoryChosen, MemoryLine, MemoryViewQuery } from "../../trace/panel-memory.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import { Selection } from "./selection.ts";

/** What the rows are that one chooses from. */
export interface ChoiceParts {
  readonly line: (index: number) => MemoryLine | undefined;
  /** The ids of the rows that have come. */
  readonly come: () => readonly string[];
  /** How many rows there are. */
  readonly total: () => number;
  /** What gives these rows; undefined for a ranked search, whose rows are all there. */
  readonly query: () => MemoryViewQuery | undefined;
  readonly table: () => MemoryTable;
  readonly send: (message: PanelMessage) => void;
  readonly changed: () => void;
}

/** The rows that the user chooses, and what is done with all of them. */
export class Choice {
  readonly selection = new Selection();
  private readonly parts: ChoiceParts;

  constructor(parts: ChoiceParts) {
    this.parts = parts;
  }

  /** How many rows are selected. */
  get count(): number {
    return this.selection.all ? this.parts.total() : this.selection.size;
  }

  /** Selects a row, or lets go of it. */
  select(line: MemoryLine, index: number): void {
    this.selection.toggle(line.row.id, index);
    this.parts.changed();
  }

  /** Selects all rows from the last one that was selected to this one. */
  extend(index: number): void {
    this.selection.extendTo(index, (at) => this.parts.line(at)?.row.id);
    this.parts.changed();
  }

  /** Selects all rows that match, also those that have not come; of a ranked search those that were found. */
  selectAll(): void {
    if (this.parts.query() === undefined) this.selection.add(this.parts.come());
    else this.selection.selectAll();
    this.parts.changed();
  }

  unselect(): void {
    this.selection.clear();
    this.parts.changed();
  }

  /** Forgets what is selected, else a row. */
  forget(line: MemoryLine | undefined): void {
    const what = this.chosen(line);
    if (what === undefined) return;
    this.parts.send({ type: "memory.forget", what });
    this.parts.changed();
  }

  /** Pins or exports what is selected. */
  take(type: "memory.pin" | "memory.export"): void {
    const what = this.chosen(undefined);
    if (what === undefined) return;
    this.parts.send({ type, what });
    this.parts.changed();
  }

  private chosen(line: MemoryLine | undefined): MemoryChosen | undefined {
    const query = this.parts.query();
    if (this.selection.all && query !== undefined) return { by: "matching", query };
    const ids = this.selection.size > 0 ? this.selection.list() : line === undefined ? [] : [line.row.id];
    return ids.length === 0 ? undefined : { by: "ids", table: this.parts.table(), ids: [...ids] };
  }
}

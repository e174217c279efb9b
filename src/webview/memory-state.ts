import type { Failure } from "../agent/failure.ts";
import type { HostMessage, MemoryRow, PanelMessage } from "../trace/panel-protocol.ts";

/** The memory table: one page of it, and what it was asked for. */
export class MemoryState {
  rows: readonly MemoryRow[] = [];
  total = 0;
  offset = 0;
  filter = "";
  /** By how well they fit the filter, instead of newest first. */
  ranked = false;
  note: string | null = null;
  failure: Failure | null = null;
  waiting = false;
  private readonly send: (message: PanelMessage) => void;
  private readonly changed: () => void;

  constructor(send: (message: PanelMessage) => void, changed: () => void) {
    this.send = send;
    this.changed = changed;
  }

  /** Asks for the page that starts at a row. */
  load(offset: number): void {
    this.waiting = true;
    this.send({ type: "memory", offset: Math.max(0, offset), filter: this.filter, ranked: this.ranked });
    this.changed();
  }

  search(filter: string, ranked: boolean): void {
    this.filter = filter;
    this.ranked = ranked;
    this.load(0);
  }

  forget(ids: readonly string[]): void {
    this.send({ type: "forget", ids: [...ids] });
  }

  /** Takes a page. One that answers an older request is passed over. */
  receive(message: Extract<HostMessage, { type: "memory" }>): void {
    if (message.filter !== this.filter || message.ranked !== this.ranked) return;
    this.waiting = false;
    this.rows = message.rows;
    this.total = message.total;
    this.offset = message.offset;
    this.note = message.note;
    this.failure = message.failure;
  }
}

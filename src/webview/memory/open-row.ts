import type { Failure } from "../../agent/failure.ts";
import type { MemoryHostMessage, MemoryLine } from "../../trace/panel-memory.ts";

/** All that a row holds: asked for when it is opened. */
export interface WholeRow {
  readonly id: string;
  readonly line: MemoryLine | null;
  readonly waiting: boolean;
  readonly failure: Failure | null;
}

/** The row that is open, whole, as it was last read. */
export class OpenedRow {
  now: WholeRow | null = null;
  private request = -1;

  /** A row is opened and asked for, or asked for again: what is known of it stays until the answer comes. */
  wait(id: string, request: number): void {
    this.request = request;
    this.now = { id, line: this.now?.id === id ? this.now.line : null, waiting: true, failure: null };
  }

  close(): void {
    this.request = -1;
    this.now = null;
  }

  /** Takes a row. Gives false when it is not there any more: then none is open. */
  receive({ request, line, failure }: Extract<MemoryHostMessage, { type: "memory.row" }>): boolean {
    if (request !== this.request || this.now === null) return true;
    if (line === null && failure === null) {
      this.close();
      return false;
    }
    if (line === null || line.row.id === this.now.id)
      this.now = { ...this.now, line: line ?? this.now.line, waiting: false, failure };
    return true;
  }
}

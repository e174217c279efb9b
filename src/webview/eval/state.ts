import type { EvalHead, EvalRunRow, EvalView } from "../../trace/eval/view.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";

/** Rows that are held at most: whoever wants more reads the report's file. */
const MAX_ROWS = 2_000;

/** The reports there are, the one that is shown, and its runs as far as they were sent for. */
export class EvalState {
  /** Undefined before the first answer. */
  reports: readonly EvalHead[] | undefined;
  id: string | undefined;
  view: EvalView | undefined;
  /** Why the last one that was asked for is not shown. */
  problem: string | undefined;
  runs: readonly EvalRunRow[] = [];
  total = 0;
  /** Only runs that did not pass are listed. */
  failed = true;
  private request = 0;
  private readonly send: (message: PanelMessage) => void;
  private readonly kept: () => void;

  /**
   * @param saved the report that was shown before the page was made anew
   * @param kept called when another one is shown
   */
  constructor(saved: string | null, send: (message: PanelMessage) => void, kept: () => void) {
    this.id = saved ?? undefined;
    this.send = send;
    this.kept = kept;
  }

  /** Asks which reports there are. */
  list(): void {
    this.send({ type: "eval.list", request: this.next() });
  }

  /** Opens a report; null: one that the user chooses as a file. */
  open(id: string | null): void {
    this.problem = undefined;
    this.send({ type: "eval.open", request: this.next(), report: id });
  }

  /** Lists all runs, or only those that did not pass. */
  narrow(failed: boolean): void {
    this.failed = failed;
    this.runs = [];
    this.more();
  }

  /** Whether there are runs that have not been sent for. */
  get hasMore(): boolean {
    return this.runs.length < Math.min(this.total, MAX_ROWS);
  }

  more(): void {
    const { id, failed } = this;
    if (id === undefined) return;
    this.send({ type: "eval.runs", request: this.next(), report: id, from: this.runs.length, failed });
  }

  /** Shows the trace of a run in the list. */
  trace(at: number): void {
    const { id, failed } = this;
    if (id !== undefined) this.send({ type: "eval.trace", report: id, at, failed });
  }

  receive(message: HostMessage): void {
    switch (message.type) {
      case "eval.list": {
        this.reports = message.reports;
        const [newest] = message.reports;
        const before = message.reports.find(({ id }) => id === this.id) ?? newest;
        if (this.view === undefined && before !== undefined) this.open(before.id);
        return;
      }
      case "eval.report":
        this.shown(message);
        return;
      case "eval.runs":
        if (message.request !== this.request || message.from !== this.runs.length) return;
        this.total = message.total;
        this.runs = [...this.runs, ...message.rows];
        return;
      default:
        // The other parts' messages.
        return;
    }
  }

  private shown({ id, view, problem }: Extract<HostMessage, { type: "eval.report" }>): void {
    this.problem = problem;
    if (id === undefined || view === undefined) return;
    this.id = id;
    this.view = view;
    this.kept();
    this.total = 0;
    this.narrow(view.failures > 0);
  }

  private next(): number {
    this.request += 1;
    return this.request;
  }
}

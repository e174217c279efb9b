import type { ActivityFigures, ActivityRecord, ToolLine } from "../../trace/activity/records.ts";
import type { ActivityStanding } from "../../trace/panel-activity.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";

/** Rows of a page, as the host gives them. */
const PAGE = 100;
/** Pages that are kept; those furthest from sight go. */
const MAX_PAGES = 20;

/** How a list of activity is narrowed. */
export interface Narrowed {
  /** What it is of. */
  readonly of: string;
  readonly filter: string;
  readonly only: boolean;
  readonly part: string;
}

/** The activity that is shown: figures, and the rows in sight of a list that may be long. */
export class ActivityState {
  /** Undefined before the first answer. */
  tools: readonly ToolLine[] | undefined;
  /** The tool that is shown. */
  tool: ToolLine | undefined;
  figures: ActivityFigures | undefined;
  standing: ActivityStanding = { reading: true, older: false };
  total = 0;
  filter = "";
  only = false;
  /** Which part of it is listed, such as `compared` of the critic's; empty: all. */
  part = "";
  /** What is shown; undefined: nothing. */
  of: string | undefined;
  /** How the list that was narrowed last was: it is the same when one comes back to it. */
  narrowed: Narrowed | null;
  private request = 0;
  private readonly pages = new Map<number, readonly ActivityRecord[]>();
  private readonly fresh = new Set<number>();
  private wanted = { from: 0, to: 0 };
  private readonly send: (message: PanelMessage) => void;
  private readonly kept: () => void;

  /**
   * @param narrowed how a list was narrowed before the page was made anew
   * @param kept called after each change of that
   */
  constructor(narrowed: Narrowed | null, send: (message: PanelMessage) => void, kept: () => void) {
    this.narrowed = narrowed;
    this.send = send;
    this.kept = kept;
  }

  /** Shows the activity of something else: `tools`, `tool:NAME`, `critic` or `memory`. */
  watch(of: string): void {
    const before = this.narrowed?.of === of ? this.narrowed : undefined;
    this.of = of;
    this.filter = before?.filter ?? "";
    this.part = before?.part ?? "";
    this.only = before?.only ?? false;
    this.clear();
    this.ask();
  }

  /** It is shown no more; what else is shown by now stays. */
  leave(of: string): void {
    if (this.of !== of) return;
    this.of = undefined;
    this.request += 1;
    this.send({ type: "activity.leave" });
  }

  /** Narrows what is listed. */
  narrow(filter: string, only: boolean): void {
    this.filter = filter;
    this.only = only;
    this.keep();
    this.ask();
  }

  /** Lists a part of it only. */
  take(part: string): void {
    this.part = part;
    this.keep();
    this.ask();
  }

  private keep(): void {
    const { of, filter, only, part } = this;
    if (of === undefined) return;
    this.narrowed = { of, filter, only, part };
    this.kept();
  }

  /** Where a record that has come stands; -1 where it is not there (any more). */
  indexOf(id: string): number {
    for (const [page, rows] of this.pages) {
      const at = rows.findIndex((row) => row.id === id);
      if (at >= 0) return page * PAGE + at;
    }
    return -1;
  }

  /** A row, or undefined while it has not come. */
  row(index: number): ActivityRecord | undefined {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** Says which rows are in sight: those that are missing or out of date are sent for. */
  need(from: number, to: number): void {
    this.wanted = { from, to };
    const last = Math.floor(Math.min(to, this.total - 1) / PAGE);
    for (let page = Math.floor(from / PAGE); page <= last; page += 1) {
      if (this.fresh.has(page)) continue;
      this.fresh.add(page);
      this.send({ type: "activity.page", request: this.request, from: page * PAGE });
    }
  }

  receive(message: HostMessage): void {
    if (!("request" in message) || message.request !== this.request) return;
    if (message.type === "activity.tools") {
      this.tools = message.tools;
      this.standing = message.standing;
    } else if (message.type === "activity.summary") {
      this.summary(message);
    } else if (message.type === "activity.page") {
      this.page(message.from, message.rows);
    }
  }

  private summary(message: Extract<HostMessage, { type: "activity.summary" }>): void {
    this.total = message.total;
    this.figures = message.figures;
    this.standing = message.standing;
    this.tool = message.tool;
    // Rows in sight stay until newer ones come.
    this.fresh.clear();
    this.need(this.wanted.from, this.wanted.to);
  }

  private page(from: number, rows: readonly ActivityRecord[]): void {
    const page = Math.floor(from / PAGE);
    const before = (this.pages.get(page) ?? []).slice(0, from % PAGE);
    const all = [...before, ...rows];
    this.pages.set(page, all);
    // A page of long texts comes in parts.
    const next = page * PAGE + all.length;
    if (rows.length > 0 && all.length < PAGE && next < this.total)
      this.send({ type: "activity.page", request: this.request, from: next });
    const middle = (this.wanted.from + this.wanted.to) / 2 / PAGE;
    while (this.pages.size > MAX_PAGES) {
      const far = [...this.pages.keys()].reduce((one, other) =>
        Math.abs(one - middle) >= Math.abs(other - middle) ? one : other,
      );
      this.pages.delete(far);
      this.fresh.delete(far);
    }
  }

  private ask(): void {
    if (this.of === undefined) return;
    this.request += 1;
    this.fresh.clear();
    this.send({
      type: "activity.watch",
      of: this.part === "" ? this.of : `${this.of}:${this.part}`,
      ...{ request: this.request, filter: this.filter, only: this.only },
    });
  }

  private clear(): void {
    this.figures = undefined;
    this.tool = undefined;
    this.total = 0;
    this.standing = { reading: true, older: false };
    this.pages.clear();
    this.wanted = { from: 0, to: 0 };
  }
}

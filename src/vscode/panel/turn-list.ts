import type { TurnEvent } from "../../agent/events.ts";
import type { HostMessage } from "../../trace/panel-protocol.ts";
import type { TurnSummary } from "../../trace/summary.ts";
import { fits, isEmpty, readFilter, wordsToFind, type TurnFilter } from "../../trace/turn-filter.ts";
import type { PanelHostDeps } from "./deps.ts";

const ROWS_A_PAGE = 100;
const ROWS_A_POST = 150;
const SESSIONS_A_READ = 20;
/** A search looks at this many sessions before it gives back what it found. */
const SESSIONS_A_SEARCH = 400;
const CHANGES_AFTER_MS = 200;

/** A turn that the log leaves running, and that nobody works on here, was interrupted. */
function settle(row: TurnSummary, running: string | undefined): TurnSummary {
  return row.status === "running" && row.turnId !== running ? { ...row, status: "interrupted" } : row;
}

/** The list of turns: pages of it on request, and rows that change by themselves. The log is where rows come from. */
export class TurnList {
  private readonly deps: PanelHostDeps;
  private readonly post: (message: HostMessage) => void;
  private readonly changed = new Map<string, Set<string>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private request = 0;
  private filter = "";
  /** Ends the search that is under way. */
  private searching = new AbortController();

  constructor(deps: PanelHostDeps, post: (message: HostMessage) => void) {
    this.deps = deps;
    this.post = post;
  }

  /** Posts the page that starts at a session; a later request takes the place of one that is still read. */
  async page(cursor: number, filter: string): Promise<void> {
    this.request += 1;
    const request = this.request;
    this.filter = filter;
    this.searching.abort();
    this.searching = new AbortController();
    const rows: TurnSummary[] = [];
    let at = cursor;
    let total = cursor + 1;
    while (at < total && rows.length < ROWS_A_PAGE && at - cursor < SESSIONS_A_SEARCH) {
      const read = await this.deps.log.sessions({ offset: at, limit: SESSIONS_A_READ });
      if (request !== this.request) return;
      if (!read.ok) {
        this.post({ type: "notice", failure: read.failure, asked: false });
        // Nothing stands behind what can't be read: nobody asks for it again and again.
        total = at;
        break;
      }
      total = read.value.total;
      for (const session of read.value.sessions) {
        at += 1;
        rows.push(...(await this.rowsOf(session.sessionId, filter)));
        if (rows.length >= ROWS_A_PAGE) break;
      }
      if (read.value.sessions.length === 0) total = at;
    }
    if (request === this.request) this.postPage(cursor, at < total ? at : null, filter, rows);
  }

  /** Posts the first page anew, under the search that was asked for last. */
  async again(): Promise<void> {
    await this.page(0, this.filter);
  }

  /** Posts the rows of a session that another window changed. What still runs there is left for its end. */
  async session(sessionId: string): Promise<void> {
    const rows = (await this.rowsOf(sessionId, "")).filter(({ status }) => status !== "interrupted");
    if (rows.length > 0) this.post({ type: "rows", rows: rows.slice(-ROWS_A_POST) });
  }

  /** Whether a session holds nothing any more. */
  async isGone(sessionId: string): Promise<boolean> {
    const read = await this.deps.log.rows(sessionId);
    return read.ok && read.value.length === 0;
  }

  /** Marks the row of an event's turn as changed; changed rows are posted together a moment later. */
  hear(event: TurnEvent): void {
    if (event.type === "model.delta" || event.type === "agent.transition") return;
    const turns = this.changed.get(event.sessionId) ?? new Set();
    this.changed.set(event.sessionId, turns.add(event.turnId));
    this.timer ??= setTimeout(() => void this.postChanges(), CHANGES_AFTER_MS);
  }

  /** Posts nothing more. */
  stop(): void {
    this.request += 1;
    this.searching.abort();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.changed.clear();
  }

  private async rowsOf(sessionId: string, filter: string): Promise<readonly TurnSummary[]> {
    const read = await this.deps.log.rows(sessionId);
    if (!read.ok) return [];
    const running = this.deps.engine.running(sessionId)?.turnId;
    const rows = read.value.map((row) => settle(row, running));
    const wanted = readFilter(filter);
    return isEmpty(wanted) ? rows : this.matching(sessionId, rows, wanted);
  }

  /** The rows that a filter asks for. Words that a row does not show are looked for in the whole turn. */
  private async matching(
    sessionId: string,
    rows: readonly TurnSummary[],
    filter: TurnFilter,
  ): Promise<readonly TurnSummary[]> {
    const fitting = rows.filter((row) => fits(row, filter));
    const missing = new Map(fitting.map((row) => [row.turnId, wordsToFind(row, filter)]));
    const words = [...new Set([...missing.values()].flat())];
    if (words.length === 0) return fitting;
    const search = await this.deps.log.search?.(sessionId, words, this.searching.signal);
    return fitting.filter(({ turnId }) => {
      const found = search?.of(turnId) ?? new Set();
      return (missing.get(turnId) ?? []).every((word) => found.has(word));
    });
  }

  private postPage(cursor: number, next: number | null, filter: string, rows: readonly TurnSummary[]): void {
    this.post({ type: "turns", filter, cursor, next, rows: rows.slice(0, ROWS_A_POST) });
    for (let at = ROWS_A_POST; at < rows.length; at += ROWS_A_POST) {
      // Never 0 here: these rows come after the first ones.
      this.post({
        type: "turns",
        filter,
        cursor: Math.max(cursor, 1),
        next,
        rows: rows.slice(at, at + ROWS_A_POST),
      });
    }
  }

  private async postChanges(): Promise<void> {
    const changed = [...this.changed];
    this.changed.clear();
    this.timer = undefined;
    await this.deps.log.flush();
    for (const [sessionId, turnIds] of changed) {
      const rows = (await this.rowsOf(sessionId, "")).filter((row) => turnIds.has(row.turnId));
      if (rows.length > 0) this.post({ type: "rows", rows: rows.slice(-ROWS_A_POST) });
    }
  }
}

import { MEMORY_PAGE } from "../../trace/panel-limits.ts";
import type { MemoryLine } from "../../trace/panel-memory.ts";

/** Pages that are kept: 2,000 rows, however long the table is. */
const MAX_PAGES = 20;
/** Pages that are waited for at the same time: whoever scrolls past a thousand pages asks for the last ones only. */
const MAX_ASKED = 2;

/** The rows of one query as far as they have come, page by page; those furthest from sight are let go of. */
export class Pages {
  /** How many rows there are; undefined before the first page. */
  total: number | undefined;
  private readonly ask: (page: number) => void;
  private readonly held = new Map<number, readonly MemoryLine[]>();
  private readonly fresh = new Set<number>();
  private readonly asked = new Set<number>();
  private wanted = { from: 0, to: 0 };

  /** `ask` sends for a page; its answer goes to `take`. */
  constructor(ask: (page: number) => void) {
    this.ask = ask;
  }

  /** A row, or undefined while it has not come. */
  line(index: number): MemoryLine | undefined {
    return this.held.get(Math.floor(index / MEMORY_PAGE))?.[index % MEMORY_PAGE];
  }

  /** Where a row stands, among those that have come. */
  indexOf(id: string): number | undefined {
    for (const [page, lines] of this.held) {
      const at = lines.findIndex((line) => line.row.id === id);
      if (at >= 0) return page * MEMORY_PAGE + at;
    }
    return undefined;
  }

  /** The ids of the rows that have come. */
  ids(): readonly string[] {
    return [...this.held.values()].flatMap((lines) => lines.map(({ row }) => row.id));
  }

  /** Says which rows are in sight: their pages are sent for. */
  need(from: number, to: number): void {
    this.wanted = { from, to };
    const first = Math.floor(from / MEMORY_PAGE);
    const last = Math.floor(Math.max(from, to) / MEMORY_PAGE);
    for (let page = first; page <= last; page += 1) {
      if (this.fresh.has(page) || this.asked.has(page) || this.asked.size >= MAX_ASKED) continue;
      if (this.total !== undefined && page > 0 && page * MEMORY_PAGE >= this.total) continue;
      this.asked.add(page);
      this.ask(page);
    }
  }

  /** Takes a page that was sent for, and sends for what is in sight by now. */
  take(page: number, lines: readonly MemoryLine[], total: number): void {
    this.asked.delete(page);
    this.total = total;
    this.fresh.add(page);
    this.held.set(page, lines);
    this.trim();
    this.need(this.wanted.from, this.wanted.to);
  }

  /** What was sent for won't come. It is not sent for again by itself. */
  fail(page: number): void {
    this.asked.delete(page);
    this.fresh.add(page);
    this.total ??= 0;
  }

  /** Everything is out of date: rows in sight stay until newer ones come. */
  stale(): void {
    this.fresh.clear();
    this.asked.clear();
    this.need(this.wanted.from, this.wanted.to);
  }

  private trim(): void {
    const middle = (this.wanted.from + this.wanted.to) / 2 / MEMORY_PAGE;
    while (this.held.size > MAX_PAGES) {
      const far = [...this.held.keys()].reduce((a, b) =>
        Math.abs(a - middle) >= Math.abs(b - middle) ? a : b,
      );
      this.held.delete(far);
      this.fresh.delete(far);
    }
  }
}

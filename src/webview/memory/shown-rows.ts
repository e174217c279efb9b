import { MEMORY_PAGE } from "../../trace/panel-limits.ts";
import type {
  MemoryFound,
  MemoryHostMessage,
  MemoryLine,
  MemoryViewQuery,
} from "../../trace/panel-memory.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import { Pages } from "./pages.ts";

/** How rows are asked for. */
export interface RowsParts {
  /** What gives the rows of the table as it is filtered and sorted now. */
  readonly query: () => MemoryViewQuery;
  /** A number that no other request has. */
  readonly nextRequest: () => number;
  readonly send: (message: PanelMessage) => void;
}

/** The page that an answer is; answers to questions nobody has any more are passed over. */
interface Asked {
  readonly pages: Pages;
  readonly page: number;
}

/** The rows that the memory view shows, by pages or as a ranked search found them, and those that will follow them. */
export class ShownRows {
  /** Of the ranked search that is shown. */
  found: MemoryFound | null = null;
  private readonly parts: RowsParts;
  private pages: Pages;
  /** What will be shown as soon as its first rows are there. */
  private next: Pages | undefined;
  private readonly asked = new Map<number, Asked>();
  /** The search that is waited for; -1 for none. */
  private searching = -1;

  constructor(parts: RowsParts) {
    this.parts = parts;
    this.pages = this.newPages();
  }

  /** How many rows there are; undefined before the first have come. */
  get total(): number | undefined {
    return this.pages.total;
  }

  /** Whether newer rows are on their way. */
  get waiting(): boolean {
    return this.next !== undefined || this.pages.total === undefined || this.searching >= 0;
  }

  /** A row, or undefined while it has not come. */
  line(index: number): MemoryLine | undefined {
    return this.pages.line(index);
  }

  /** Where a row stands, among those that have come. */
  indexOf(id: string): number | undefined {
    return this.pages.indexOf(id);
  }

  /** The ids of the rows that have come. */
  ids(): readonly string[] {
    return this.pages.ids();
  }

  /** Says which rows are in sight: their pages are sent for. */
  need(from: number, to: number): void {
    this.pages.need(from, to);
  }

  /** Lets go of all rows: those of another table follow. */
  clear(): void {
    this.found = null;
    this.pages = this.newPages();
    this.next = undefined;
    this.searching = -1;
  }

  /** Asks for other rows: those that are shown stay until they come. */
  replace(): void {
    this.searching = -1;
    this.next = this.newPages();
    this.next.need(0, 0);
  }

  /** Asks for the rows that fit some words best; `here`: of this workspace only. Those that are shown stay until then. */
  search(query: string, here: boolean): void {
    this.next = undefined;
    this.searching = this.parts.nextRequest();
    this.parts.send({ type: "memory.search", request: this.searching, query, here });
  }

  /** Reads what is shown, or will be, anew, in place. */
  refresh(): void {
    this.asked.clear();
    (this.next ?? this.pages).stale();
  }

  /** Takes a page. False when nobody waits for it any more. */
  takePage(message: Extract<MemoryHostMessage, { type: "memory.page" }>): boolean {
    const asked = this.asked.get(message.request);
    this.asked.delete(message.request);
    if (asked === undefined) return false;
    const { pages, page } = asked;
    if (pages !== this.pages && pages !== this.next) return false;
    if (pages === this.next) {
      this.pages = pages;
      this.next = undefined;
    }
    this.found = null;
    if (message.failure === null) pages.take(page, message.lines, message.total);
    else pages.fail(page);
    return true;
  }

  /** Takes what a search found. False when nobody waits for it any more. */
  takeHits(message: Extract<MemoryHostMessage, { type: "memory.hits" }>): boolean {
    if (message.request !== this.searching) return false;
    this.searching = -1;
    this.pages = this.newPages();
    this.pages.take(0, message.lines, message.lines.length);
    this.found = message.found;
    return true;
  }

  private newPages(): Pages {
    const { nextRequest, query, send } = this.parts;
    const pages: Pages = new Pages((page) => {
      const request = nextRequest();
      this.asked.set(request, { pages, page });
      send({ type: "memory.page", request, query: query(), offset: page * MEMORY_PAGE });
    });
    return pages;
  }
}

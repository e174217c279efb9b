import type { Failure } from "../../agent/failure.ts";
import type { MemoryTable } from "../../agent/memory/types.ts";
import type {
  MemoryFound,
  MemoryHostMessage,
  MemoryLine,
  MemoryViewForget,
  MemoryViewQuery,
} from "../../trace/panel-memory.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import { Choice } from "./choice.ts";
import { spanOf } from "./days.ts";
import { FieldEditing } from "./editing.ts";
import { editable } from "./edits.ts";
import { OpenedRow, type WholeRow } from "./open-row.ts";
import { MemoryNews } from "./news.ts";
import { startsAscending, type SavedMemory, type TabPlace } from "./saved.ts";
import { ShownRows } from "./shown-rows.ts";

/** The memory view: a table with its filter and order, what is selected, open and edited in it, and what is at work. */
export class MemoryState {
  table: MemoryTable;
  here: boolean;
  onlyCurrent: boolean;
  ranked: boolean;
  readonly choice: Choice;
  readonly editing: FieldEditing;
  failure: Failure | null = null;
  readonly news = new MemoryNews();
  /** There may be more by now than what is shown. */
  behind = false;
  /** Counts how often other rows were asked for: the table begins at its top then. */
  revision = 0;
  private readonly opened = new OpenedRow();
  private tabs: { [T in MemoryTable]: TabPlace };
  private readonly rows: ShownRows;
  private readonly send: (message: PanelMessage) => void;
  private readonly changed: () => void;
  private readonly save: () => void;
  private request = 0;

  constructor(
    saved: SavedMemory,
    send: (message: PanelMessage) => void,
    changed: () => void,
    save: () => void,
  ) {
    this.table = saved.table;
    this.here = saved.here;
    this.onlyCurrent = saved.onlyCurrent;
    this.ranked = saved.ranked;
    this.tabs = { ...saved.tabs };
    this.send = send;
    this.changed = changed;
    this.save = save;
    const nextRequest = (): number => this.nextRequest();
    this.rows = new ShownRows({ query: () => this.query(), nextRequest, send });
    this.choice = new Choice({
      line: (index) => this.line(index),
      come: () => this.rows.ids(),
      total: () => this.total ?? 0,
      query: () => (this.searches ? undefined : this.query()),
      table: () => this.table,
      send: (message) => {
        this.news.told = "";
        send(message);
      },
      changed,
    });
    this.editing = new FieldEditing({
      send: (request, edit) => send({ type: "memory.edit", request, edit }),
      request: nextRequest,
      changed,
      onSaved: () => this.refresh(),
      onRefused: (failure) => (this.failure = failure),
    });
  }

  /** What of it outlives the page. */
  saved(): SavedMemory {
    const { table, here, onlyCurrent, ranked, tabs } = this;
    return { table, here, onlyCurrent, ranked, tabs };
  }

  /** All there is of the open row. */
  get whole(): WholeRow | null {
    return this.opened.now;
  }

  get tab(): TabPlace {
    return this.tabs[this.table];
  }

  /** Whether rows are shown by how well they fit, instead of in the order of a column. */
  get searches(): boolean {
    return this.ranked && this.table === "episodes" && this.tab.filter.trim() !== "";
  }

  /** Of the ranked search that is shown. */
  get found(): MemoryFound | null {
    return this.rows.found;
  }

  /** How many rows there are; undefined before the first have come. */
  get total(): number | undefined {
    return this.rows.total;
  }

  /** Whether newer rows are on their way. */
  get waiting(): boolean {
    return this.rows.waiting;
  }

  line(index: number): MemoryLine | undefined {
    return this.rows.line(index);
  }

  show(table: MemoryTable): void {
    if (table === this.table) return;
    this.table = table;
    this.choice.selection.clear();
    this.editing.now = null;
    this.opened.close();
    this.news.told = "";
    this.rows.clear();
    this.refresh();
    this.save();
  }

  /** Shows what is recalled by some words, and why, as soon as the view is opened. */
  recall(query: string): void {
    this.show("episodes");
    this.ranked = true;
    this.filterBy(query);
  }

  /** Shows what holds some words, and was on one of these days. */
  filterBy(filter: string, days = this.tab.days): void {
    this.ask({ filter, days });
  }

  /** Sorts by a column; by the same one again the other way round. */
  sortBy(column: string): void {
    const { sort } = this.tab;
    const same = sort.column === column;
    this.ask({ sort: { column, ascending: same ? !sort.ascending : startsAscending(column) } });
  }

  turn(what: "here" | "onlyCurrent" | "ranked", on: boolean): void {
    this[what] = on;
    this.ask({});
  }

  /** Reads what is shown anew, in place. */
  refresh(): void {
    this.failure = null;
    this.behind = false;
    if (this.searches) {
      this.search();
    } else {
      this.rows.refresh();
      this.fetchOpen();
    }
    this.changed();
  }

  /** There is more: it is shown at once, unless that would move the rows under somebody who is at work on them. */
  grew(): void {
    const atRest = this.tab.top === 0 && this.tab.open === null && this.editing.now === null;
    if (atRest && this.choice.count === 0 && !this.searches) this.refresh();
    else this.behind = true;
  }

  /** Says which rows are in sight. */
  need(from: number, to: number): void {
    if (!this.searches) this.rows.need(from, to);
  }

  scrolled(top: number): void {
    this.move({ top });
  }

  /** Opens a row, or closes the one that is open. */
  toggle(line: MemoryLine, index: number): void {
    const open = this.tab.open?.id === line.row.id ? null : { id: line.row.id, index };
    this.editing.now = null;
    this.move({ open });
    this.opened.close();
    if (open !== null) this.fetchWhole(open.id, index);
    this.changed();
  }

  /** Edits a field: in its cell when that shows all of it, else in the open row. */
  edit(line: MemoryLine, index: number, field: string): void {
    const inCell = !line.cut && editable(line.table, field)?.kind !== "lines";
    if (!inCell && this.tab.open?.id !== line.row.id) this.toggle(line, index);
    this.editing.begin(line.row.id, field, inCell ? "cell" : "detail");
  }

  forget(what: MemoryViewForget): void {
    this.news.told = "";
    this.send({ type: "memory.forget", what });
    this.changed();
  }

  start(what: "memory.export" | "memory.import" | "memory.cancel"): void {
    this.news.told = "";
    this.send({ type: what });
    this.changed();
  }

  receive(message: HostMessage): void {
    switch (message.type) {
      case "memory.page":
        this.receivePage(message);
        break;
      case "memory.hits":
        this.receiveHits(message);
        break;
      case "memory.row":
        if (!this.opened.receive(message)) this.move({ open: null });
        break;
      case "memory.edited":
        this.editing.receive(message.request, message.failure);
        break;
      case "memory.changed":
        this.choice.selection.clear();
        this.refresh();
        break;
      default:
        this.news.receive(message);
    }
  }

  /** Asks for other rows: those that are shown stay until they come. */
  private ask(change: Partial<Pick<TabPlace, "filter" | "sort" | "days">>): void {
    this.move({ ...change, top: 0, open: null });
    this.revision += 1;
    this.choice.selection.clear();
    this.editing.now = null;
    this.opened.close();
    this.failure = null;
    this.behind = false;
    if (this.searches) this.search();
    else this.rows.replace();
    this.changed();
  }

  private search(): void {
    this.rows.search(this.tab.filter, this.here);
  }

  private query(): MemoryViewQuery {
    const { table, here, onlyCurrent } = this;
    const { filter, sort, days } = this.tab;
    // The sort's column is one of the table's own: that is checked where it is read, and by the host again.
    return { table, filter, sort, here, onlyCurrent, ...spanOf(table, days) } as MemoryViewQuery;
  }

  private fetchOpen(): void {
    const { open } = this.tab;
    if (open !== null) this.fetchWhole(open.id, open.index);
  }

  private fetchWhole(id: string, offset: number): void {
    const request = this.nextRequest();
    this.opened.wait(id, request);
    this.send({ type: "memory.row", request, query: this.query(), id, offset });
  }

  private receivePage(message: Extract<MemoryHostMessage, { type: "memory.page" }>): void {
    if (!this.rows.takePage(message)) return;
    this.failure = message.failure;
    this.followOpen();
  }

  private receiveHits(message: Extract<MemoryHostMessage, { type: "memory.hits" }>): void {
    if (!this.rows.takeHits(message)) return;
    this.failure = message.failure;
    this.followOpen();
    this.fetchOpen();
  }

  /** The open row may stand elsewhere by now. */
  private followOpen(): void {
    const { open } = this.tab;
    const index = open === null ? undefined : this.rows.indexOf(open.id);
    if (open !== null && index !== undefined && index !== open.index) this.move({ open: { ...open, index } });
  }

  private move(change: Partial<TabPlace>): void {
    this.tabs = { ...this.tabs, [this.table]: { ...this.tab, ...change } };
    this.save();
  }

  private nextRequest(): number {
    this.request += 1;
    return this.request;
  }
}

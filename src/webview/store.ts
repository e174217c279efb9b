import type { Failure } from "../agent/failure.ts";
import type { HostMessage, PanelMessage } from "../trace/panel-protocol.ts";
import type { TurnSummary } from "../trace/summary.ts";
import type { Anchor, Pane } from "./saved-state.ts";
import { wayTo } from "./shown-cells.ts";
import { StoreState } from "./store-state.ts";
import type { Channel } from "./vscode-api.ts";

/** The only place that changes what the panel shows. Views read it and call its methods. */
export class Store extends StoreState {
  constructor(channel: Channel) {
    super(channel);
    channel.listen((message) => this.receive(message));
  }

  /** Tells the host that the page is there. */
  start(): void {
    this.channel.send({ type: "ready", selected: this.selected });
    if (this.rows.filter !== "") this.search(this.rows.filter);
    if (this.pane === "memory" && !this.readOnly) this.memory.refresh();
    if (this.pane === "compare") this.compare.again();
    this.fork.start();
  }

  ask(question: string): void {
    if (question.trim() === "" || this.asking !== undefined) return;
    this.asking = question;
    this.notice = undefined;
    // The question goes on with the branch that one looks at.
    const { selected } = this;
    const after = selected?.sessionId === this.sessionId ? { after: selected.turnId } : {};
    this.channel.send({ type: "ask", question, sessionId: this.sessionId, ...after });
    this.changed();
  }

  cancel(): void {
    if (this.turn !== undefined) this.channel.send({ type: "cancel", sessionId: this.turn.sessionId });
  }

  select(row: { readonly sessionId: string; readonly turnId: string }): void {
    if (this.compare.take(row)) return;
    this.channel.send({ type: "select", sessionId: row.sessionId, turnId: row.turnId });
    this.pane = "turn";
    this.changed();
  }

  /** Shows a turn at one of its cells, open. */
  selectAt(row: { readonly sessionId: string; readonly turnId: string }, cellId: string): void {
    this.landing = cellId;
    this.folds.set(cellId, true);
    this.select(row);
  }

  newSession(sessionId: string | null = null): void {
    this.selected = null;
    this.shown.begin();
    this.sessionId = sessionId;
    this.pane = "turn";
    this.notice = undefined;
    this.changed();
    this.saver.save();
  }

  /** Does what a failure's button says. */
  act(problem: Failure): void {
    if (problem.action === undefined) return;
    if (problem.action === "retry") {
      this.ask(this.turn?.question ?? this.draft);
      return;
    }
    this.notice = undefined;
    this.channel.send({
      type: "action",
      action: problem.action,
      sessionId: this.sessionId,
      ...(problem.target === undefined ? {} : { target: problem.target }),
    });
    this.changed();
  }

  send(message: PanelMessage): void {
    this.channel.send(message);
  }

  search(filter: string): void {
    this.rows.find(filter);
    this.channel.send({ type: "turns", cursor: 0, filter });
    this.changed();
    this.saver.soon();
  }

  more(): void {
    const cursor = this.rows.takeNext();
    if (cursor === null) return;
    this.rows.searching = true;
    this.channel.send({ type: "turns", cursor, filter: this.rows.filter });
  }

  /** Draws again what a part changed by itself. */
  redraw(): void {
    this.changed();
  }

  /** Shows a view; the turn again when it is the one that is shown. */
  toggle(pane: Pane): void {
    this.open(this.pane === pane ? "turn" : pane);
  }

  private open(pane: Pane): void {
    this.compare.waiting = undefined;
    if (pane === "memory" && !this.readOnly) this.memory.refresh();
    this.show(pane);
  }

  toggleFacts(): void {
    this.showFacts = !this.showFacts;
    this.changed();
    this.saver.save();
  }

  isOpen(id: string, byDefault: boolean): boolean {
    return this.folds.isOpen(id, byDefault);
  }

  fold(id: string, open: boolean): void {
    this.folds.set(id, open);
    // What is opened stays in sight; a thought that goes on is at the end itself.
    const cell = this.turn?.cells.get(id);
    if (open && !(cell?.kind === "thinking" && cell.status === "running")) this.follow = false;
    this.changed();
    this.saver.save();
  }

  /** Folds or unfolds every cell of the turn. */
  foldAll(open: boolean): void {
    if (this.turn === undefined) return;
    this.folds.setAll(this.turn, open);
    this.changed();
    this.saver.save();
  }

  /** Goes to a cell of the turn, and opens what it stands in. */
  goTo(cellId: string): void {
    if (this.turn === undefined) return;
    for (const key of wayTo(this.turn, cellId)) this.folds.set(key, true);
    this.wanted = cellId;
    this.follow = false;
    this.show("turn");
  }

  /** Shows the turn below or above the one that is shown, as the list has them. */
  stepTurn(step: 1 | -1): void {
    const row = this.rows.beside(this.selected?.turnId, step);
    if (row !== undefined) this.select(row);
  }

  /** Shows the keys, or puts them away. */
  help(shown: boolean): void {
    this.showsHelp = shown;
    this.changed();
  }

  write(draft: string): void {
    this.draft = draft;
    this.changed();
    this.saver.soon();
  }

  /** Keeps what is typed in a small form while the page is hidden; undefined: it was sent, or given up. */
  type(key: string, text: string | undefined): void {
    this.typed.set(key, text);
    this.changed();
    this.saver.soon();
  }

  dismiss(): void {
    this.notice = undefined;
    this.changed();
  }

  scrolled(anchor: Anchor | null, follow: boolean): void {
    this.anchor = anchor;
    const changed = this.follow !== follow;
    this.follow = follow;
    if (changed) this.changed();
    this.saver.soon();
  }

  /** One goes up: the end is no longer kept in sight. */
  letGo(): void {
    if (!this.follow) return;
    this.follow = false;
    this.changed();
    this.saver.soon();
  }

  /** Keeps the end of the turn in sight again. */
  followAgain(): void {
    this.follow = true;
    this.changed();
    this.saver.save();
  }

  private receive(message: HostMessage): void {
    switch (message.type) {
      case "state":
        this.frame = message.state;
        break;
      case "turns":
        this.receivePage(message);
        break;
      case "rows":
        this.receiveRows(message.rows);
        break;
      case "turn":
        this.begin(message);
        break;
      case "events":
        this.shown.events(message);
        // Many may come within a frame: they are drawn once.
        this.frames.ask();
        return;
      case "loaded":
        this.shown.finish(message, this.otherWorks());
        break;
      case "asked":
        this.asked(message.sessionId);
        break;
      case "pane":
        if (message.query !== undefined) this.memory.recall(message.query);
        this.open(message.pane);
        break;
      case "new_session":
        this.newSession(message.sessionId);
        break;
      case "notice":
        this.notice = message.failure;
        if (message.asked) this.asking = undefined;
        if (message.asked) this.fork.refused();
        break;
      case "model":
        this.shown.waitsFor(message);
        break;
      case "memory.grew":
        // Whoever looks at something else finds it when memory is opened.
        if (this.pane === "memory") this.memory.grew();
        break;
      default:
        for (const part of this.parts) part.receive(message);
    }
    this.changed();
  }

  private otherWorks(): boolean {
    return this.selected !== null && this.critic.asked("compare", this.selected) !== undefined;
  }

  /** On arrival, with nothing chosen, what runs is shown; later pages, as of a search, move nobody. */
  private receivePage(message: Extract<HostMessage, { type: "turns" }>): void {
    const arriving = !this.rows.loaded;
    this.rows.page(message);
    const running = message.rows.find((row) => row.status === "running");
    if (arriving && this.selected === null && running !== undefined && this.draft === "")
      this.select(running);
  }

  /** A turn that begins in the conversation one looks at is shown, when one was at its end. */
  private receiveRows(rows: readonly TurnSummary[]): void {
    const begun = rows.find((row) => row.status === "running" && !this.rows.has(row));
    const last = this.rows.lastOf(this.selected?.sessionId);
    const atEnd = this.selected === null || last?.turnId === this.selected.turnId;
    this.rows.change(rows);
    if (begun === undefined || begun.turnId === this.selected?.turnId) return;
    if (!atEnd || this.asking !== undefined) return;
    if (this.selected === null || (begun.sessionId === this.selected.sessionId && !this.running)) {
      this.channel.send({ type: "select", sessionId: begun.sessionId, turnId: begun.turnId });
    }
  }

  private begin(message: Extract<HostMessage, { type: "turn" }>): void {
    const { sessionId, turnId } = message;
    const again = this.selected?.turnId === turnId;
    this.selected = { sessionId, turnId };
    this.sessionId = sessionId;
    this.shown.begin(message);
    this.details.clear();
    this.requests.clear();
    this.prefill.clear();
    this.wanted = this.landing;
    this.landing = undefined;
    if (!again) {
      this.folds.begin();
      this.anchor = null;
      this.follow = message.running;
    }
    this.saver.save();
  }

  private asked(sessionId: string): void {
    if (this.asking !== undefined && this.asking === this.draft) this.draft = "";
    this.asking = undefined;
    this.fork.begun();
    this.sessionId = sessionId;
    this.pane = "turn";
    this.saver.save();
  }
}

import type { Failure } from "../agent/failure.ts";
import type { TurnModel } from "../trace/model.ts";
import type { HostMessage, PanelMessage, PanelState } from "../trace/panel-protocol.ts";
import type { TurnSummary } from "../trace/summary.ts";
import { DetailTexts } from "./detail-texts.ts";
import { MemoryState } from "./memory/state.ts";
import { isPrivateId } from "../trace/private-id.ts";
import { readState, writeState, type Anchor, type Pane, type SavedState } from "./saved-state.ts";
import { ShownTurn } from "./shown-turn.ts";
import { TurnRows } from "./turn-rows.ts";
import type { Channel } from "./vscode-api.ts";

const SAVE_AFTER_MS = 250;

/** Everything the panel shows, and the only place that changes it. Views read it and call its methods. */
export class Store {
  readonly rows = new TurnRows();
  readonly memory: MemoryState;
  readonly details: DetailTexts;
  readonly shown = new ShownTurn();
  frame: PanelState | undefined;
  notice: Failure | undefined;
  /** A question that was sent and has not begun yet. */
  asking: string | undefined;
  selected: SavedState["selected"];
  /** The session that the next question goes on with; null: a new one. */
  sessionId: string | null;
  pane: Pane;
  showFacts: boolean;
  draft: string;
  follow: boolean;
  anchor: Anchor | null;
  /** Counts what was folded and unfolded. */
  foldsRevision = 0;
  private readonly folds: Map<string, boolean>;
  private readonly channel: Channel;
  private readonly listeners = new Set<() => void>();
  private saving: ReturnType<typeof setTimeout> | undefined;

  constructor(channel: Channel) {
    this.channel = channel;
    const saved = readState(channel.load());
    this.selected = saved.selected;
    this.sessionId = saved.sessionId;
    this.pane = saved.pane;
    this.showFacts = saved.showFacts;
    this.draft = saved.draft;
    this.follow = saved.follow;
    this.anchor = saved.anchor;
    this.folds = new Map(saved.folds);
    const send = (message: PanelMessage) => channel.send(message);
    const changed = () => this.changed();
    this.memory = new MemoryState(saved.memory, send, changed, () => this.saveSoon());
    this.details = new DetailTexts(send, changed);
    channel.listen((message) => this.receive(message));
  }

  /** Tells the host that the page is there. */
  start(): void {
    this.channel.send({ type: "ready", selected: this.selected });
    if (this.pane === "memory") this.memory.refresh();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The host's clock, in milliseconds; it may differ from ours. */
  now(): number {
    return this.shown.now();
  }

  /** The turn that is shown. */
  get turn(): TurnModel | undefined {
    return this.shown.model;
  }

  get running(): boolean {
    return this.turn?.status === "running" && this.selected?.turnId === this.turn.turnId;
  }

  ask(question: string): void {
    if (question.trim() === "" || this.asking !== undefined) return;
    this.asking = question;
    this.notice = undefined;
    this.channel.send({ type: "ask", question, sessionId: this.sessionId });
    this.changed();
  }

  cancel(): void {
    if (this.turn !== undefined) this.channel.send({ type: "cancel", sessionId: this.turn.sessionId });
  }

  select(row: { readonly sessionId: string; readonly turnId: string }): void {
    this.channel.send({ type: "select", sessionId: row.sessionId, turnId: row.turnId });
    this.pane = "turn";
    this.changed();
  }

  newSession(sessionId: string | null = null): void {
    this.selected = null;
    this.shown.begin();
    this.sessionId = sessionId;
    this.pane = "turn";
    this.notice = undefined;
    this.changed();
    this.save();
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

  rate(rating: "up" | "down"): void {
    if (this.turn === undefined) return;
    const { sessionId, turnId } = this.turn;
    this.channel.send({ type: "feedback", sessionId, turnId, rating });
  }

  search(filter: string): void {
    this.rows.filter = filter;
    this.channel.send({ type: "turns", cursor: 0, filter });
    this.changed();
  }

  more(): void {
    const cursor = this.rows.takeNext();
    if (cursor !== null) this.channel.send({ type: "turns", cursor, filter: this.rows.filter });
  }

  /** Shows a view; the turn again when it is the one that is shown. */
  toggle(pane: Pane): void {
    this.open(this.pane === pane ? "turn" : pane);
  }

  private open(pane: Pane): void {
    this.pane = pane;
    if (pane === "memory") this.memory.refresh();
    this.changed();
    this.save();
  }

  toggleFacts(): void {
    this.showFacts = !this.showFacts;
    this.changed();
    this.save();
  }

  isOpen(id: string, byDefault: boolean): boolean {
    return this.folds.get(id) ?? byDefault;
  }

  fold(id: string, open: boolean): void {
    this.foldsRevision += 1;
    this.folds.delete(id);
    this.folds.set(id, open);
    this.changed();
    this.save();
  }

  write(draft: string): void {
    this.draft = draft;
    this.changed();
    this.saveSoon();
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
    this.saveSoon();
  }

  /** Keeps the end of the turn in sight again. */
  followAgain(): void {
    this.follow = true;
    this.changed();
    this.save();
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
        break;
      case "loaded":
        this.shown.finish(message);
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
        break;
      case "model":
        this.shown.waitsFor(message);
        break;
      case "detail":
        this.details.receive(message);
        break;
      case "memory.grew":
        // Whoever looks at something else finds it when memory is opened.
        if (this.pane === "memory") this.memory.grew();
        break;
      default:
        this.memory.receive(message);
    }
    this.changed();
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
    if (!again) {
      this.anchor = null;
      this.follow = message.running;
    }
    this.save();
  }

  private asked(sessionId: string): void {
    if (this.asking !== undefined && this.asking === this.draft) this.draft = "";
    this.asking = undefined;
    this.sessionId = sessionId;
    this.pane = "turn";
    this.save();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** The page may be torn down at any moment: what was chosen is saved at once, what is still moving a moment later. */
  private saveSoon(): void {
    this.saving ??= setTimeout(() => this.save(), SAVE_AFTER_MS);
  }

  private save(): void {
    clearTimeout(this.saving);
    this.saving = undefined;
    const { selected, sessionId, pane, showFacts, anchor, follow } = this;
    // The editor keeps this on the disk: what is typed in a private session stays in the window.
    const draft = sessionId !== null && isPrivateId(sessionId) ? "" : this.draft;
    const folds = [...this.folds];
    const memory = this.memory.saved();
    this.channel.save(
      writeState({ selected, sessionId, pane, showFacts, anchor, follow, draft, folds, memory }),
    );
  }
}

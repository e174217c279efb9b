import type { Failure } from "../agent/failure.ts";
import type { TurnModel } from "../trace/model.ts";
import type { HostMessage, PanelMessage, PanelState } from "../trace/panel-protocol.ts";
import { isPrivateId } from "../trace/private-id.ts";
import { CompareState } from "./compare/state.ts";
import { EvalState } from "./eval/state.ts";
import { DetailTexts } from "./detail-texts.ts";
import { CriticQueue } from "./judge/critic-state.ts";
import { PrefillState } from "./facts/prefill-state.ts";
import { Folds } from "./folds.ts";
import { ForkState } from "./fork/state.ts";
import { MemoryState } from "./memory/state.ts";
import { NextFrame } from "./next-frame.ts";
import { RequestsState } from "./request/state.ts";
import { readState, writeState, type Anchor, type Pane, type SavedState } from "./saved-state.ts";
import { Saver } from "./saver.ts";
import { ShownTurn } from "./shown-turn.ts";
import { TurnRows } from "./turn-rows.ts";
import { ViewsState } from "./views/state.ts";
import { Typed } from "./typed.ts";
import type { Channel } from "./vscode-api.ts";

/** A part of what the panel shows with messages of its own; it passes over all others. */
interface StorePart {
  receive(message: HostMessage): void;
}

/** Everything the panel shows, and how it is kept over a reload of the page. What changes it is in `Store`. */
export abstract class StoreState {
  readonly rows = new TurnRows();
  readonly memory: MemoryState;
  readonly details: DetailTexts;
  /** What the models saw. */
  readonly requests: RequestsState;
  /** Branching off the turn that is shown. */
  readonly fork: ForkState;
  /** Two turns side by side. */
  readonly compare: CompareState;
  /** Tools, critic and memory, each with its activity and its settings. */
  readonly views: ViewsState;
  /** The report of an evaluation. */
  readonly evals: EvalState;
  /** The critic of this window. */
  readonly critic: CriticQueue;
  readonly shown = new ShownTurn();
  /** Counts all changes: as long as it is the same, what is drawn from here is too. */
  revision = 0;
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
  /** What is open and what is folded. */
  readonly folds: Folds;
  /** What is being typed in small forms. */
  readonly typed: Typed;
  /** How far the prompts of the turn begin alike. */
  readonly prefill: PrefillState;
  /** A cell that is to be gone to as soon as it is drawn. */
  wanted: string | undefined;
  /** A cell of a turn that was sent for: it is gone to when the turn comes. */
  protected landing: string | undefined;
  /** The keys are shown. */
  showsHelp = false;
  /** What has messages of its own. */
  protected readonly parts: readonly StorePart[];
  protected readonly channel: Channel;
  private readonly listeners = new Set<() => void>();
  protected readonly saver: Saver;
  protected readonly frames = new NextFrame(() => this.changed());

  constructor(channel: Channel) {
    this.channel = channel;
    const saved = readState(channel.load());
    this.selected = saved.selected;
    this.sessionId = saved.sessionId;
    this.pane = saved.pane;
    this.showFacts = saved.showFacts;
    this.draft = saved.draft;
    this.rows.filter = saved.search;
    this.follow = saved.follow;
    this.anchor = saved.anchor;
    this.folds = new Folds(saved.folds, saved.unfolded);
    this.typed = new Typed(saved.typed);
    this.saver = new Saver(() => channel.save(writeState(this.saved())));
    const send = (message: PanelMessage) => channel.send(message);
    const changed = () => this.changed();
    this.memory = new MemoryState(saved.memory, send, changed, () => this.saver.soon());
    this.details = new DetailTexts(send, changed);
    this.requests = new RequestsState(this.folds, send, { changed, folded: () => this.saver.soon() });
    this.fork = new ForkState(saved.edit, send, () => {
      changed();
      this.saver.soon();
    });
    this.compare = new CompareState(saved.compared, {
      send,
      selected: () => this.selected,
      show: (pane) => this.show(pane),
    });
    this.prefill = new PrefillState(send);
    this.critic = new CriticQueue(send);
    this.evals = new EvalState(saved.report, send, () => this.saver.soon());
    this.views = new ViewsState(saved.views, send, () => {
      changed();
      this.saver.save();
    });
    this.parts = [
      this.views,
      this.details,
      this.requests,
      this.prefill,
      this.critic,
      this.evals,
      this.fork,
      this.compare,
      this.memory,
    ];
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

  /** Whether what is shown is a file: nothing can be asked, rated or changed in it. */
  get readOnly(): boolean {
    return this.frame?.source !== undefined;
  }

  /** Whether what is asked next begins a private session, of which nothing is kept. */
  get beginsPrivate(): boolean {
    return this.turn === undefined && this.sessionId !== null && isPrivateId(this.sessionId);
  }

  /** Whether what is shown belongs to a private session, or what is asked next to one. */
  get isPrivate(): boolean {
    const sessionId = this.turn?.sessionId ?? this.sessionId;
    if (this.readOnly || sessionId === null || !isPrivateId(sessionId)) return false;
    // One that was saved since is private no more.
    const last = this.rows.lastOf(sessionId);
    return last === undefined || last.private === true;
  }

  get running(): boolean {
    return this.turn?.status === "running" && this.selected?.turnId === this.turn.turnId;
  }

  /** Shows a view. */
  protected show(pane: Pane): void {
    this.pane = pane;
    this.changed();
    this.saver.save();
  }

  protected changed(): void {
    this.revision += 1;
    for (const listener of this.listeners) listener();
  }

  /** What of it outlives the page. */
  private saved(): SavedState {
    const { selected, sessionId, pane, showFacts, anchor, follow } = this;
    // The editor keeps this on the disk: what is typed in a private session stays in the window.
    const isKept = sessionId === null || !isPrivateId(sessionId);
    const [draft, typed] = isKept ? [this.draft, this.typed.saved()] : ["", []];
    const [folds, unfolded] = [this.folds.kept(), this.folds.all ?? null];
    const [memory, compared, edit] = [this.memory.saved(), this.compare.saved(), this.fork.saved()];
    const views = this.views.saved();
    const [search, report] = [this.rows.filter, this.evals.id ?? null];
    return {
      ...{ selected, sessionId, pane, showFacts, anchor, follow, draft, typed },
      ...{ folds, unfolded, compared, memory, edit, views, search, report },
    };
  }
}

import { systemIdentity, type Identity } from "../../agent/ids.ts";
import { describeError, failure, type Failure } from "../../agent/failure.ts";
import type { LogChange } from "../../trace/log-watch.ts";
import { safeLink } from "../../trace/links.ts";
import {
  parsePanelMessage,
  type HostMessage,
  type PanelMessage,
  type PanelPane,
} from "../../trace/panel-protocol.ts";
import { cutAtGrapheme } from "../../agent/text.ts";
import { Details } from "./details.ts";
import type { PanelHostDeps, PanelUi, SourceChange, TurnRef } from "./deps.ts";
import { MemoryHost } from "./memory/memory-host.ts";
import { Outside } from "./outside.ts";
import { PanelAsks } from "./panel-asks.ts";
import { panelParts } from "./panel-parts.ts";
import type { HostPart } from "./part.ts";
import { TurnFeed } from "./turn-feed.ts";
import { TurnList } from "./turn-list.ts";

const MAX_PROBLEMS = 10;
const MAX_SENTENCE = 2000;
const MAX_LINK = 300;
const FOREIGN_LINK = "Open this link? It stands in a trace that somebody else made.";

/** Where the panel is sent from outside. What is left out stays as it is. */
interface Place {
  /** Null: none, because a new session begins. */
  readonly turn?: TurnRef | null;
  readonly pane?: PanelPane;
  /** What the memory view is to search for. */
  readonly query?: string;
  /** The new session, where it has an id before its first question: a private one. */
  readonly sessionId?: string;
}

type MessageOf<Type extends PanelMessage["type"]> = Extract<PanelMessage, { readonly type: Type }>;

/** A failure as it is shown: its cause stays in the trace, and no sentence is without end. */
function shown(problem: Failure): Failure {
  return {
    code: problem.code,
    message: cutAtGrapheme(problem.message, MAX_SENTENCE),
    ...(problem.action === undefined ? {} : { action: problem.action }),
    ...(problem.target === undefined ? {} : { target: cutAtGrapheme(problem.target, MAX_SENTENCE) }),
  };
}

/** An address as a question shows it: its beginning, where its host stands, and that there is more. */
function shownLink(href: string): string {
  return href.length <= MAX_LINK ? href : `${href.slice(0, MAX_LINK)}…`;
}

/**
 * The panel's host side, without VS Code: answers the panel's messages and posts what changes. Messages are checked;
 * what is malformed is dropped. Nothing is posted before the panel said `ready`, nor while it is hidden.
 */
export class PanelHost {
  private readonly deps: PanelHostDeps;
  private readonly ui: PanelUi;
  private readonly send: (message: HostMessage) => void;
  private readonly feed: TurnFeed;
  private readonly list: TurnList;
  private readonly details: Details;
  private readonly memory: MemoryHost;
  private readonly asks: PanelAsks;
  /** Those with messages of their own. */
  private readonly parts: readonly HostPart[];
  private readonly outside = new Outside();
  private readonly stops: readonly (() => void)[];
  private looking = new AbortController();
  private awake = false;
  private wanted: Place | undefined;
  /** Switches that were pressed and are not yet in force: a question that follows is asked with them. */
  private switching: Promise<unknown> = Promise.resolve();

  constructor(
    deps: PanelHostDeps,
    ui: PanelUi,
    post: (message: HostMessage) => void,
    identity: Identity = systemIdentity,
  ) {
    this.deps = deps;
    this.ui = ui;
    this.send = (message) => {
      if (this.awake) post(message);
    };
    this.feed = new TurnFeed(deps, this.send);
    this.list = new TurnList(deps, this.send);
    this.details = new Details(deps, this.send);
    this.memory = new MemoryHost({
      deps,
      ui,
      post: this.send,
      notice: (problem) => this.notice(problem, false),
    });
    this.asks = new PanelAsks({
      ...{ deps, identity },
      post: this.send,
      notice: (problem, asked) => this.notice(problem, asked),
      select: (sessionId, turnId) => this.feed.select(sessionId, turnId),
    });
    this.parts = panelParts({
      ...{ deps, ui, identity, post: this.send, notice: (problem) => this.notice(problem, false) },
      ...{ details: this.details, memory: this.memory, asks: this.asks },
    });
    this.stops = this.listen();
  }

  /** Listens to all that may change what is shown; gives the ways to stop. */
  private listen(): readonly (() => void)[] {
    const { deps } = this;
    const look = () => void this.postState();
    const nothing = () => undefined;
    return [
      deps.engine.onEvent((event) => {
        this.outside.hear(event);
        if (!this.awake) return;
        this.list.hear(event);
        this.feed.hear(event);
        for (const part of this.parts) part.hear?.(event);
      }),
      deps.toggles.onChange(look),
      deps.onSetupChange?.(look) ?? nothing,
      deps.source?.onChange((change) => void this.hearSource(change)) ?? nothing,
      deps.onForgotten?.(() => {
        if (!this.awake) return;
        this.memory.changed();
        void this.guarded(() => this.showAgain(), false);
      }) ?? nothing,
      deps.onDeleted?.((sessionId) => {
        if (this.awake) void this.guarded(() => this.sessionGone(sessionId), false);
      }) ?? nothing,
      deps.onLogChange?.((change) => {
        if (this.awake) void this.guarded(() => this.hearOthers(this.outside.of(change)), false);
      }) ?? nothing,
    ];
  }

  /** Takes a message of the panel. Settles when it is dealt with; never rejects. */
  async receive(raw: unknown): Promise<void> {
    const message = parsePanelMessage(raw);
    if (message === undefined) return;
    await this.guarded(() => this.handle(message), message.type === "ask");
  }

  /** Shows a turn, at once or as soon as the panel is ready. */
  show(turn: TurnRef): void {
    this.go({ turn, pane: "turn" });
  }

  /** Shows one of the panel's views, at once or as soon as the panel is ready. */
  showPane(pane: PanelPane, query?: string): void {
    this.go({ pane, ...(query === undefined ? {} : { query }) });
  }

  /** Lets go of the turn that is shown: the next question begins a session. What runs goes on. */
  newSession(sessionId?: string): void {
    this.go({ turn: null, pane: "turn", ...(sessionId === undefined ? {} : { sessionId }) });
  }

  /** The session that is shown, or was when the panel was hidden; empty when there is none. */
  shownSession(): string {
    return this.feed.lastSession;
  }

  /** The turn that the page shows, or was showing when it died; nothing of a hidden panel. */
  shownTurn(): TurnRef | undefined {
    return this.feed.turn;
  }

  /** The panel is hidden or gone: posts nothing until it says `ready` again. Running turns go on. */
  sleep(): void {
    this.awake = false;
    this.feed.stop();
    this.list.stop();
    for (const part of this.parts) part.sleep?.();
    this.looking.abort();
  }

  /** Lets go of everything. */
  dispose(): void {
    this.sleep();
    for (const part of this.parts) part.dispose?.();
    for (const stop of this.stops) stop();
  }

  private go(place: Place): void {
    if (this.awake) void this.guarded(() => this.move(place), false);
    else this.wanted = { ...this.wanted, ...place };
  }

  /** @param listed settles when the list is there: all of a long turn waits for that, its beginning does not */
  private async move(
    { turn, pane, query, sessionId }: Place,
    listed: Promise<void> = Promise.resolve(),
  ): Promise<void> {
    if (turn === null) {
      this.feed.stop();
      this.send({ type: "new_session", ...(sessionId === undefined ? {} : { sessionId }) });
    }
    if (pane !== undefined) this.send({ type: "pane", pane, ...(query === undefined ? {} : { query }) });
    if (turn) await this.feed.select(turn.sessionId, turn.turnId, listed);
  }

  /** Runs work for the panel; what breaks is said there. */
  private async guarded(work: () => Promise<void>, asked: boolean): Promise<void> {
    try {
      await work();
    } catch (error) {
      const cause = describeError(error);
      this.notice(failure("internal", "The panel could not do that.", { cause }), asked);
    }
  }

  private async handle(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case "ready": {
        await this.ready(message.selected);
        return;
      }
      case "turns": {
        await this.list.page(message.cursor, message.filter);
        return;
      }
      case "select": {
        await this.feed.select(message.sessionId, message.turnId);
        return;
      }
      case "cancel":
        this.deps.engine.running(message.sessionId)?.cancel();
        return;
      case "link": {
        await this.open(message.href);
        return;
      }
      case "action": {
        await this.act(message);
        return;
      }
      case "toggle": {
        await this.toggle(message);
        return;
      }
      default:
        if (message.type === "ask") await this.switching;
        for (const part of this.parts) await part.receive(message);
    }
  }

  /** Another window asked, was answered, or forgot something. */
  private async hearOthers({ sessionIds, replaced }: LogChange): Promise<void> {
    if (sessionIds.length === 0) return;
    if (replaced.size > 0) this.memory.changed();
    else this.memory.grew();
    for (const sessionId of sessionIds) {
      if (replaced.has(sessionId) && (await this.list.isGone(sessionId))) await this.sessionGone(sessionId);
      else await this.list.session(sessionId);
    }
    if (sessionIds.includes(this.feed.session)) await this.feed.again();
  }

  /** A session was deleted: nothing of it stays in sight. */
  private async sessionGone(sessionId: string): Promise<void> {
    if (this.feed.session === sessionId) await this.move({ turn: null, pane: "turn" });
    await this.list.again();
  }

  /** More of the file was read, or it is another one now. */
  private async hearSource(change: SourceChange): Promise<void> {
    if (!this.awake) return;
    await this.guarded(async () => {
      await this.postState();
      if (change === "turns") await this.list.again();
      if (change === "all") await this.showAgain();
    }, false);
  }

  private async ready(selected: TurnRef | null): Promise<void> {
    this.sleep();
    this.awake = true;
    const place: Place = { ...(selected === null ? {} : { turn: selected }), ...this.wanted };
    this.wanted = undefined;
    for (const part of this.parts) part.wake?.();
    void this.postState();
    if (this.deps.source !== undefined) void this.guarded(() => this.showFirst(selected), false);
    const listed = this.list.page(0, "");
    await Promise.all([listed, this.deps.source === undefined ? this.move(place, listed) : undefined]);
  }

  /** Opens a file at a turn: who opens it has not chosen one yet. */
  private async showFirst(selected: TurnRef | null): Promise<void> {
    const turn = await this.deps.source?.first(selected);
    if (turn !== undefined && this.awake && this.feed.session === "") await this.move({ turn, pane: "turn" });
  }

  /** Shows turns again whose text may have gone. */
  private async showAgain(): Promise<void> {
    await Promise.all([this.list.again(), this.feed.again()]);
  }

  private async open(href: string): Promise<void> {
    const safe = safeLink(href);
    if (safe === undefined) return;
    const isForeign = this.deps.source !== undefined || this.feed.isForeign;
    // Whoever made the trace chose what the link says; the question shows where it leads.
    if (isForeign && !(await this.ui.confirm(FOREIGN_LINK, shownLink(safe), "Open"))) return;
    await this.ui.openLink(safe);
  }

  private async act(message: MessageOf<"action">): Promise<void> {
    if (message.action === "cancel_running") {
      if (message.sessionId !== null) this.deps.engine.running(message.sessionId)?.cancel();
      return;
    }
    await this.deps.run(message.action, message.target);
    await this.postState();
  }

  private async toggle(message: MessageOf<"toggle">): Promise<void> {
    const written = this.deps.toggles.set(message.name, message.on);
    this.switching = Promise.all([this.switching, written]);
    const refused = await written;
    if (refused !== undefined) this.notice(refused, false);
    await this.postState();
  }

  private notice(problem: Failure, asked: boolean): void {
    this.send({ type: "notice", failure: shown(problem), asked });
  }

  private async postState(): Promise<void> {
    if (!this.awake) return;
    this.looking.abort();
    this.looking = new AbortController();
    const { signal } = this.looking;
    const setup = await this.deps.setup(signal);
    if (signal.aborted) return;
    this.send({
      type: "state",
      state: {
        model: setup.model,
        problems: setup.problems.slice(0, MAX_PROBLEMS).map(shown),
        toggles: this.deps.toggles.get(),
        committee: this.deps.committee(),
        workspace: this.deps.memoryScopes?.() !== undefined,
        ...(this.deps.source && { source: this.deps.source.get() }),
      },
    });
  }
}

import type { TurnEvent, TurnEventType } from "../../agent/events.ts";
import type { HostMessage } from "../../trace/panel-protocol.ts";
import type { PanelHostDeps } from "./deps.ts";
import { EventBatch } from "./event-batch.ts";

/** What comes after the end of a turn; the stream of the turn itself does not hold it. */
const AFTERWARDS: ReadonlySet<TurnEventType> = new Set([
  "memory.ingested",
  "memory.learned",
  "user.feedback",
  "reward.event",
  "critique.result",
  "pairwise.result",
  "context.restored",
]);

const MAX_PROBLEMS = 20;
const MODEL_WAIT_MS = 700;

/**
 * Posts the chosen turn: from its stream while it runs, else from the log; afterwards what is still said of it. Only
 * ever one turn, and only while the panel is there to read it.
 */
export class TurnFeed {
  private readonly deps: PanelHostDeps;
  private readonly post: (message: HostMessage) => void;
  private readonly batch: EventBatch;
  private sessionId = "";
  private turnId = "";
  private generation = 0;
  private waiting = new AbortController();

  constructor(deps: PanelHostDeps, post: (message: HostMessage) => void) {
    this.deps = deps;
    this.post = post;
    this.batch = new EventBatch((events) => post({ type: "events", turnId: this.turnId, events }));
  }

  /** Shows a turn from its beginning. */
  async select(sessionId: string, turnId: string): Promise<void> {
    this.stop();
    const generation = this.generation;
    this.sessionId = sessionId;
    this.turnId = turnId;
    const running = this.deps.engine.running(sessionId);
    const follows = running?.turnId === turnId;
    this.post({ type: "turn", sessionId, turnId, running: follows });
    if (follows) void this.follow(running.events, generation);
    else await this.replay(sessionId, turnId, generation);
  }

  /** The session of the turn that is shown; empty when none is. */
  get session(): string {
    return this.turnId === "" ? "" : this.sessionId;
  }

  /** Reads the turn that is shown from the log once more; one that runs is left as it is. */
  async again(): Promise<void> {
    const { sessionId, turnId } = this;
    if (turnId === "" || this.deps.engine.running(sessionId)?.turnId === turnId) return;
    await this.select(sessionId, turnId);
  }

  /** Takes what is said of turns that have ended. */
  hear(event: TurnEvent): void {
    if (this.concerns(event) && AFTERWARDS.has(event.type)) this.batch.push(event);
  }

  /** Whether an event belongs to the turn that is shown; a summary may have been taken back in a later turn. */
  private concerns({ type, sessionId, turnId }: TurnEvent): boolean {
    if (type === "context.restored") return this.turnId !== "" && sessionId === this.sessionId;
    return turnId === this.turnId;
  }

  /** Posts nothing more until another turn is chosen. */
  stop(): void {
    this.generation += 1;
    this.turnId = "";
    this.batch.clear();
    this.waiting.abort();
  }

  private async follow(events: AsyncIterable<TurnEvent>, generation: number): Promise<void> {
    for await (const event of events) {
      if (generation !== this.generation) return;
      this.batch.push(event);
      this.watchModel(event);
    }
    if (generation !== this.generation) return;
    this.batch.flush();
    this.post({ type: "loaded", turnId: this.turnId, interrupted: false, problems: [] });
  }

  private async replay(sessionId: string, turnId: string, generation: number): Promise<void> {
    await this.deps.log.flush();
    const problems: string[] = [];
    let ended = false;
    for await (const item of this.deps.log.read(sessionId)) {
      if (generation !== this.generation) return;
      if (item.type === "problem" && problems.length < MAX_PROBLEMS) problems.push(item.message);
      if (item.type !== "event" || !this.concerns(item.event)) continue;
      ended ||= item.event.type === "turn.end";
      this.batch.push(item.event);
    }
    if (generation !== this.generation) return;
    this.batch.flush();
    this.post({ type: "loaded", turnId, interrupted: !ended, problems });
  }

  /** A model that says nothing for a while may be loading: says so, with its size. */
  private watchModel(event: TurnEvent): void {
    if (event.type === "model.delta" || event.type === "model.end") this.waiting.abort();
    if (event.type !== "model.start" || this.deps.modelState === undefined) return;
    this.waiting.abort();
    this.waiting = new AbortController();
    const { signal } = this.waiting;
    const model = event.data["gen_ai.request.model"];
    const timer = setTimeout(() => void this.askModel(event.turnId, model, signal), MODEL_WAIT_MS);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  private async askModel(turnId: string, model: string, signal: AbortSignal): Promise<void> {
    const state = await this.deps.modelState?.(model, signal).catch(() => undefined);
    if (state === undefined || state.loaded || signal.aborted) return;
    this.post({ type: "model", turnId, model, sizeBytes: state.sizeBytes ?? null });
  }
}

import type { TurnEvent } from "../../agent/events.ts";
import { isAfterwards } from "../../trace/afterwards.ts";
import type { HostMessage } from "../../trace/panel-protocol.ts";
import { isOther } from "../../trace/respondent.ts";
import { turnOf, type PanelHostDeps, type TurnRef } from "./deps.ts";
import { EventBatch } from "./event-batch.ts";

const MAX_PROBLEMS = 20;
/** So many events of a turn fill what is in sight. */
const BEGINNING = 100;
const MODEL_WAIT_MS = 700;

/** A turn that is read from the log. */
interface Replay {
  readonly sessionId: string;
  readonly turnId: string;
  readonly generation: number;
  readonly first: Promise<void>;
}

function isImported(event: TurnEvent): boolean {
  return event.type === "turn.start" && event.data["conclave.imported"] !== undefined;
}

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
  /** The turn that is shown came from a file of somebody else. */
  isForeign = false;

  constructor(deps: PanelHostDeps, post: (message: HostMessage) => void) {
    this.deps = deps;
    this.post = post;
    this.batch = new EventBatch((events) => post({ type: "events", turnId: this.turnId, events }));
  }

  /**
   * Shows a turn from its beginning.
   *
   * @param first what is to be in sight before all of a long turn is read: its beginning is there already then
   */
  async select(sessionId: string, turnId: string, first: Promise<void> = Promise.resolve()): Promise<void> {
    this.stop();
    const generation = this.generation;
    this.isForeign = false;
    this.sessionId = sessionId;
    this.turnId = turnId;
    const running = this.deps.engine.running(sessionId);
    const follows = running?.turnId === turnId;
    this.post({ type: "turn", sessionId, turnId, running: follows });
    if (follows) void this.follow(running.events, generation);
    else await this.replay({ sessionId, turnId, generation, first });
  }

  /** The session of the turn that is shown; empty when none is. */
  get session(): string {
    return this.turnId === "" ? "" : this.sessionId;
  }

  /** The turn that is shown. */
  get turn(): TurnRef | undefined {
    const { sessionId, turnId } = this;
    return turnId === "" ? undefined : { sessionId, turnId };
  }

  /** The session that was shown last, whether or not anybody looks. */
  get lastSession(): string {
    return this.sessionId;
  }

  /** Reads the turn that is shown from the log once more; one that runs is left as it is. */
  async again(): Promise<void> {
    const { sessionId, turnId } = this;
    if (turnId === "" || this.deps.engine.running(sessionId)?.turnId === turnId) return;
    await this.select(sessionId, turnId);
  }

  /** Takes what is said of turns that have ended. */
  hear(event: TurnEvent): void {
    // Respondent B answers once the turn has ended.
    if (this.concerns(event) && (isAfterwards(event.type) || isOther(event))) this.batch.push(event);
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

  private async replay({ sessionId, turnId, generation, first }: Replay): Promise<void> {
    await this.deps.log.flush();
    const problems: string[] = [];
    let ended = false;
    let pushed = 0;
    for await (const item of turnOf(this.deps.log, sessionId, turnId)) {
      if (generation !== this.generation) return;
      if (item.type === "problem" && problems.length < MAX_PROBLEMS) problems.push(item.message);
      if (item.type !== "event" || !this.concerns(item.event)) continue;
      ended ||= item.event.type === "turn.end";
      this.isForeign ||= isImported(item.event);
      this.batch.push(item.event);
      pushed += 1;
      if (pushed !== BEGINNING) continue;
      this.batch.flush();
      // A list that can't be read has said so itself.
      await first.catch(() => undefined);
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

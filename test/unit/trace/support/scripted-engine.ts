import { EventBuffer } from "../../../../src/agent/event-buffer.ts";
import type { AskRequest, Engine, RunningTurn } from "../../../../src/agent/engine-port.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { failed, success, type Result } from "../../../../src/agent/failure.ts";
import { SteadyIdentity } from "./steady-identity.ts";
import { TurnScript } from "./turn-script.ts";

/** A turn that a test tells while it runs. */
export interface ScriptedTurn {
  readonly script: TurnScript;
  readonly identity: SteadyIdentity;
  readonly request: AskRequest | undefined;
  cancelled: boolean;
}

/** An engine whose turns are told by the test; its events reach listeners and readers as the real one's do. */
export class ScriptedEngine implements Engine {
  readonly asked: AskRequest[] = [];
  readonly published: TurnEvent[] = [];
  /** Ids of the summaries that stand, by session. */
  readonly summaries = new Map<string, string>();
  /** Called with each turn that `ask` begins. */
  onTurn: (turn: ScriptedTurn) => void = () => undefined;
  private readonly listeners = new Set<(event: TurnEvent) => void>();
  private readonly turns = new Map<string, RunningTurn>();
  private seed = 0;

  ask(request: AskRequest): Promise<Result<RunningTurn>> {
    this.asked.push(request);
    if (request.sessionId !== undefined && this.turns.has(request.sessionId)) {
      return Promise.resolve(
        failed("session_busy", "Another question of this session is still being answered.", {
          action: "cancel_running",
        }),
      );
    }
    const turn = this.begin(
      { question: request.question, ...(request.sessionId && { sessionId: request.sessionId }) },
      request,
    );
    const running = this.turns.get(turn.script.sessionId);
    queueMicrotask(() => this.onTurn(turn));
    return Promise.resolve(running === undefined ? failed("internal", "no turn") : success(running));
  }

  /** Begins a turn as another door would. */
  begin(
    options: {
      readonly question?: string;
      readonly sessionId?: string;
      readonly identity?: SteadyIdentity;
      readonly parent?: string;
    } = {},
    request?: AskRequest,
  ): ScriptedTurn {
    this.seed += 100_000;
    const identity = options.identity ?? new SteadyIdentity(Date.now(), this.seed);
    const buffer = new EventBuffer();
    const first: TurnEvent[] = [];
    let live = false;
    const sink = (event: TurnEvent): void => {
      if (!live) {
        first.push(event);
        return;
      }
      buffer.push(event);
      for (const listener of this.listeners) listener(event);
      if (event.type !== "turn.end") return;
      this.turns.delete(event.sessionId);
      buffer.close();
    };
    const script = new TurnScript(sink, { ...options, identity });
    const turn: ScriptedTurn = { script, identity, request, cancelled: false };
    this.turns.set(script.sessionId, {
      sessionId: script.sessionId,
      turnId: script.turnId,
      events: buffer,
      done: Promise.resolve({ outcome: "answered", answer: "" }),
      cancel: () => {
        turn.cancelled = true;
      },
    });
    live = true;
    for (const event of first) sink(event);
    return turn;
  }

  /** A turn that is told from elsewhere runs; gives what takes its events. */
  follow(place: { readonly sessionId: string; readonly turnId: string }): (event: TurnEvent) => void {
    const buffer = new EventBuffer();
    const done = Promise.resolve({ outcome: "answered" as const, answer: "" });
    this.turns.set(place.sessionId, { ...place, events: buffer, done, cancel: () => undefined });
    return (event) => {
      buffer.push(event);
      for (const listener of this.listeners) listener(event);
    };
  }

  running(sessionId: string): RunningTurn | undefined {
    return this.turns.get(sessionId);
  }

  publish(event: TurnEvent): void {
    this.published.push(event);
    for (const listener of this.listeners) listener(event);
  }

  restoreContext(sessionId: string): Promise<Result<boolean>> {
    const compaction = this.summaries.get(sessionId);
    this.summaries.delete(sessionId);
    if (compaction === undefined) return Promise.resolve(success(false));
    const place = { id: "f".repeat(16), parentId: null, time: Date.now(), turnId: "later" };
    const who = { agent: "conclave", respondent: "A", sessionId };
    this.publish({ type: "context.restored", ...place, ...who, data: { compaction } });
    return Promise.resolve(success(true));
  }

  onEvent(listener: (event: TurnEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  dispose(): Promise<void> {
    this.turns.clear();
    return Promise.resolve();
  }
}

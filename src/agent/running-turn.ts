import { setMaxListeners } from "node:events";
import type { RunningTurn, TurnOutcome } from "./ask-types.ts";
import { EventBuffer } from "./event-buffer.ts";
import type { EventSink, TurnEvent } from "./events.ts";

/** Waits on one turn's signal at a time: calls of one message, and what runs them. More would be a leak. */
const MAX_SIGNAL_LISTENERS = 64;

/** What a turn runs in. */
export interface TurnPlace {
  readonly sessionId: string;
  readonly turnId: string;
  /** The turns that run, by their session. */
  readonly running: Map<string, RunningTurn>;
  /** Cancels the turn from outside. */
  readonly outer: AbortSignal | undefined;
  /** Hears every event. Must not throw. */
  readonly publish: EventSink;
  /** Hears of the turn's end before everybody else. Must not throw. */
  readonly onEnd?: (event: Extract<TurnEvent, { type: "turn.end" }>) => void;
}

/**
 * Runs a turn in its session, which is free again when the end of the turn is told. `done` never rejects: work that
 * breaks ends as `broken` says.
 */
export function startTurn<Outcome extends TurnOutcome>(
  { sessionId, turnId, running, outer, publish, onEnd }: TurnPlace,
  work: (signal: AbortSignal, sink: EventSink) => Promise<Outcome>,
  broken: (error: unknown) => Outcome,
): RunningTurn & { readonly done: Promise<Outcome> } {
  const controller = new AbortController();
  setMaxListeners(MAX_SIGNAL_LISTENERS, controller.signal);
  const cancel = (): void => controller.abort();
  const buffer = new EventBuffer();
  const leave = (): void => {
    if (running.get(sessionId)?.turnId === turnId) running.delete(sessionId);
  };
  const sink = (event: TurnEvent): void => {
    // Who hears of the end may ask the next question at once.
    if (event.type === "turn.end") {
      onEnd?.(event);
      leave();
    }
    buffer.push(event);
    publish(event);
  };
  outer?.addEventListener("abort", cancel, { once: true });
  const done = work(controller.signal, sink)
    .catch(broken)
    .finally(() => {
      outer?.removeEventListener("abort", cancel);
      leave();
      buffer.close();
    });
  const turn = { sessionId, turnId, events: buffer, done, cancel };
  running.set(sessionId, turn);
  return turn;
}

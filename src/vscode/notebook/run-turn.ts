import type { AskRequest, Engine, TurnOutcome } from "../../agent/engine-port.ts";
import type { TurnEventType } from "../../agent/events.ts";
import type { Failure } from "../../agent/failure.ts";
import type { Timer } from "../../agent/timer.ts";
import { LiveTurn, type LivePlace } from "../../trace/notebook/live-turn.ts";
import { turnOutput } from "../../trace/notebook/make-output.ts";
import type { TurnOutput } from "../../trace/notebook/turn-output.ts";
import { Painter } from "./painter.ts";

/** Between two drawings of an output, in milliseconds: an editor takes few changes of outputs a second. */
const STEP_MS = 250;
/** Text that streams in is drawn this often, in milliseconds. */
const STREAM_MS = 1_000;
/** What no drawing shows. */
const UNDRAWN: ReadonlySet<TurnEventType> = new Set(["agent.transition", "context.budget", "turn.end"]);

/** What a question of a notebook is asked with. */
export interface RunRequest extends Pick<AskRequest, "question" | "history" | "options" | "sessionId"> {
  readonly place: LivePlace;
}

/** Where a running turn is shown and kept. */
export interface RunPorts {
  readonly engine: Engine;
  readonly timer: Timer;
  /** Keeps the turn from its beginning on: what is saved meanwhile holds it as far as it has come. */
  keep(turn: LiveTurn): void;
  /** Draws the turn as it stands. Must not reject. */
  draw(output: TurnOutput): Promise<void>;
}

/** How a run ended: refused before it began, or with its turn. */
export type RunEnd =
  | { readonly outcome: "refused"; readonly error: Failure }
  /** The session is the one of this machine's log that the turn ran in. */
  | (TurnOutcome & { readonly turn: LiveTurn; readonly sessionId: string });

/** Asks a question as a turn, and draws it step by step. Never rejects. */
export async function runTurn(
  { question, history = [], options, sessionId, place }: RunRequest,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<RunEnd> {
  const { engine, timer } = ports;
  const asked = await engine.ask(
    {
      ...{ question, door: "notebook", history, parentTurnId: null },
      ...(options === undefined ? {} : { options }),
      ...(sessionId === undefined ? {} : { sessionId }),
    },
    signal,
  );
  if (!asked.ok) return { outcome: "refused", error: asked.failure };
  const { turnId, events, done } = asked.value;
  const turn = new LiveTurn(turnId, question, place);
  ports.keep(turn);
  let running = true;
  const paint = (): Promise<void> =>
    ports.draw(turnOutput({ sessionId: place.sessionId, turnId, events: turn.shown, running }));
  const steps = new Painter(paint, timer, STEP_MS);
  const request = (): Promise<void> => {
    steps.request();
    return Promise.resolve();
  };
  const text = new Painter(request, timer, STREAM_MS);
  for await (const event of events) {
    turn.take(event);
    if (event.type === "model.delta") text.request();
    else if (!UNDRAWN.has(event.type)) steps.request();
  }
  turn.end();
  running = false;
  text.stop();
  await steps.finish();
  return { ...(await done), turn, sessionId: asked.value.sessionId };
}

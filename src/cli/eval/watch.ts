import type { TurnEvent } from "../../agent/events.ts";
import type { Engine } from "../../agent/engine-port.ts";
import type { Timer } from "../../agent/timer.ts";

/** Most events that are kept of one run; the text of deltas is in the ends of their calls. */
const MAX_EVENTS = 100_000;

/** Whether an event is one of those that a case names: `tool.request`, or `tool.request web_search`. */
export function isNamed(event: TurnEvent, written: string): boolean {
  const [type = "", ...rest] = written.trim().split(/\s+/u);
  if (event.type !== type) return false;
  const name = rest.join(" ").toLowerCase();
  if (name === "") return true;
  const own = "name" in event.data ? event.data.name : undefined;
  return event.agent.toLowerCase() === name || own?.toLowerCase() === name;
}

/** The events of one run, as they come. */
export class EventWatch {
  readonly #events: TurnEvent[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #stop: () => void;
  readonly #timer: Timer;

  constructor(engine: Engine, timer: Timer) {
    this.#timer = timer;
    this.#stop = engine.onEvent((event) => {
      if (event.type === "model.delta") return;
      if (this.#events.length < MAX_EVENTS) this.#events.push(event);
      for (const look of [...this.#waiting]) look();
    });
  }

  /** All events so far, without deltas. */
  get events(): readonly TurnEvent[] {
    return this.#events;
  }

  /** The events of one turn so far. */
  of(turnId: string): readonly TurnEvent[] {
    return this.#events.filter((event) => event.turnId === turnId);
  }

  /** Waits until an event has come that fits, so many milliseconds at most. False when it did not. */
  until(fits: (event: TurnEvent) => boolean, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#events.some(fits)) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      let seen = this.#events.length;
      const end = (found: boolean): void => {
        cancel();
        signal.removeEventListener("abort", onAbort);
        this.#waiting.delete(look);
        resolve(found);
      };
      const look = (): void => {
        const fresh = this.#events.slice(seen);
        seen = this.#events.length;
        if (fresh.some(fits)) end(true);
      };
      const onAbort = (): void => end(false);
      const cancel = this.#timer(ms, () => end(false));
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(look);
    });
  }

  /** Stops listening. */
  dispose(): void {
    this.#stop();
  }
}

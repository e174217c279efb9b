import type { TurnEvent } from "../events.ts";
import type { Timer } from "../timer.ts";

/** Memory reads a turn first; so long after its end it is waited for no longer. Milliseconds. */
export const LEARNING_FIRST_MS = 30_000;

/** Turns that are kept track of; more don't run at once. */
const MAX_TURNS = 1_000;

/** What tells whether nobody needs the models. */
export interface IdleDeps {
  /** Whether turns are read for what they teach: that goes first. */
  readonly learns: () => boolean;
  readonly now: () => number;
  readonly timer: Timer;
  /** A turn begins. */
  readonly onBusy: () => void;
  /** No turn runs any more, or memory is done: what can begin may. */
  readonly onIdle: () => void;
}

/** Knows, from the events of all turns, whether any runs in this window, and whether memory still reads one. */
export class Idle {
  readonly #deps: IdleDeps;
  readonly #running = new Set<string>();
  /** Turns that nobody remembers: nothing is read of them. */
  readonly #unread = new Set<string>();
  /** Until when memory is waited for, by the turn that it reads; milliseconds since the epoch. */
  readonly #reading = new Map<string, number>();
  #wake: (() => void) | undefined;

  constructor(deps: IdleDeps) {
    this.#deps = deps;
  }

  /** Takes an event of any turn. */
  take(event: TurnEvent): void {
    switch (event.type) {
      case "turn.start": {
        const { "conclave.private": isPrivate, "conclave.background": background } = event.data;
        if (this.#running.size < MAX_TURNS) this.#running.add(event.turnId);
        if (isPrivate === true || background === true) this.#unread.add(event.turnId);
        this.#deps.onBusy();
        return;
      }
      case "turn.end": {
        this.#running.delete(event.turnId);
        const unread = this.#unread.delete(event.turnId);
        const isRead = !unread && event.data.outcome === "answered" && this.#deps.learns();
        if (isRead && this.#reading.size < MAX_TURNS)
          this.#reading.set(event.turnId, this.#deps.now() + LEARNING_FIRST_MS);
        this.#look();
        return;
      }
      case "memory.ingested":
        if (event.data.error === undefined) return;
        break;
      case "memory.learned":
        break;
      default:
        return;
    }
    if (this.#reading.delete(event.turnId)) this.#look();
  }

  /** Whether no turn runs. */
  isFree(): boolean {
    return this.#running.size === 0;
  }

  /** Whether no turn runs, and memory reads none. */
  isIdle(): boolean {
    return this.isFree() && this.#readUntil() <= this.#deps.now();
  }

  /** Waits for nothing any more. */
  dispose(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Until when memory is waited for. */
  #readUntil(): number {
    const now = this.#deps.now();
    for (const [turnId, until] of this.#reading) if (until <= now) this.#reading.delete(turnId);
    return Math.max(0, ...this.#reading.values());
  }

  #look(): void {
    if (this.#running.size > 0) return;
    const wait = this.#readUntil() - this.#deps.now();
    this.dispose();
    // What the user asked for need not wait for memory.
    this.#deps.onIdle();
    if (wait <= 0) return;
    this.#wake = this.#deps.timer(Math.ceil(wait), () => {
      this.#wake = undefined;
      this.#look();
    });
  }
}

import type { TurnEvent } from "../events.ts";
import { CANCELLED, describeError, failed, type Result } from "../failure.ts";
import type { Timer } from "../timer.ts";
import { dream, type DreamDeps, type Dreamt } from "./dream.ts";

/** Idle from so long without a sign of the user on, or from so long after the window was left; milliseconds. */
const IDLE_MS = 10 * 60_000;
const AWAY_MS = 60_000;

/** Between the ends of two dreams that nobody asked for, in milliseconds. */
const REST_MS = 60 * 60_000;

/** Turns that are known to run; more don't at a time. */
const MAX_RUNNING = 1_000;

/** What a dreamer works with. */
export interface DreamerDeps extends DreamDeps {
  /** Whether the user allows dreams that nobody asked for; read anew each time. */
  readonly whenIdle: () => boolean;
  readonly timer: Timer;
  /** Takes a line on what became of a dream that nobody asked for. Must not throw. */
  readonly onLine: (line: string) => void;
}

/** Dreams on command, and by itself when nobody works; one dream at a time. Nothing of it throws or rejects. */
export class Dreamer {
  readonly #deps: DreamerDeps;
  /** Turns that somebody asked for and that run. */
  readonly #running = new Set<string>();
  #seenAt: number;
  #leftAt: number | undefined;
  /** Stops a dream that nobody asked for. */
  #idle: AbortController | undefined;
  /** Stops whatever is dreamt. */
  readonly #closing = new AbortController();
  #work: Promise<unknown> | undefined;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(deps: DreamerDeps) {
    this.#deps = deps;
    this.#seenAt = deps.now();
    this.#schedule();
  }

  /** Dreams now. Refused while it dreams already. */
  async now(signal: AbortSignal): Promise<Result<Dreamt>> {
    if (this.#closed) return { ok: false, failure: CANCELLED };
    if (this.#work !== undefined) return failed("session_busy", "Conclave is dreaming already.");
    return this.#dream(signal);
  }

  /** The user did something. */
  seen(): void {
    this.#seenAt = this.#deps.now();
    this.#schedule();
  }

  /** The window was left, or the user is back. */
  focused(isFocused: boolean): void {
    this.#leftAt = isFocused ? undefined : (this.#leftAt ?? this.#deps.now());
    if (isFocused) this.seen();
    else this.#schedule();
  }

  /** Hears the events of all turns: a dream that nobody asked for gives way to a question at once. */
  onEvent(event: TurnEvent): void {
    if (event.type === "turn.start") {
      if (event.data["conclave.background"] === true) return;
      if (this.#running.size < MAX_RUNNING) this.#running.add(event.turnId);
      this.#idle?.abort();
      this.seen();
    } else if (event.type === "turn.end" && this.#running.delete(event.turnId)) this.seen();
  }

  /** The setting may have changed. */
  changed(): void {
    this.#schedule();
  }

  /** Stops what runs and waits for it. */
  async dispose(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    this.#closing.abort();
    await this.#work;
  }

  /** Waits for the moment from which nobody is there, as things stand. */
  #schedule(): void {
    this.#cancelTimer();
    this.#cancelTimer = () => undefined;
    if (this.#closed || this.#work !== undefined || this.#running.size > 0 || !this.#deps.whenIdle()) return;
    const idleAt = this.#seenAt + IDLE_MS;
    const from = this.#leftAt === undefined ? idleAt : Math.min(idleAt, this.#leftAt + AWAY_MS);
    const wait = Math.max(0, Math.max(from, this.#restedAt()) - this.#deps.now());
    this.#cancelTimer = this.#deps.timer(wait, () => void this.#byItself());
  }

  #restedAt(): number {
    return (this.#deps.state.endedAt() ?? -Infinity) + REST_MS;
  }

  async #byItself(): Promise<void> {
    // Another window may have dreamt meanwhile.
    if (this.#restedAt() > this.#deps.now()) {
      this.#schedule();
      return;
    }
    const idle = new AbortController();
    this.#idle = idle;
    const dreamt = await this.#dream(idle.signal);
    this.#idle = undefined;
    if (this.#closed) return;
    if (!dreamt.ok) {
      if (dreamt.failure.code !== "cancelled")
        this.#deps.onLine(`Dreaming failed: ${dreamt.failure.message}`);
    } else if (dreamt.value.turns > 0) {
      const { turns, moments } = dreamt.value;
      this.#deps.onLine(`Dreaming looked back over ${turns} turns and kept ${moments} moments.`);
    }
  }

  async #dream(signal: AbortSignal): Promise<Result<Dreamt>> {
    this.#cancelTimer();
    const own = new AbortController();
    const stop = (): void => own.abort();
    const signals = [signal, this.#closing.signal];
    for (const one of signals) one.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const work = dream(this.#deps, own.signal);
    this.#work = work;
    const dreamt = await work;
    for (const one of signals) one.removeEventListener("abort", stop);
    // One that gave way to a question has not had its turn.
    if (dreamt.ok || dreamt.failure.code !== "cancelled") await this.#ended();
    this.#work = undefined;
    this.#schedule();
    return dreamt;
  }

  async #ended(): Promise<void> {
    try {
      await this.#deps.state.setEndedAt(this.#deps.now());
    } catch (error) {
      this.#deps.onLine(`Dreaming could not note when it ended: ${describeError(error)}`);
    }
  }
}

import type { Failure, Result } from "../../../agent/failure.ts";
import type { Timer } from "../../../agent/timer.ts";
import type { Reminder, ReminderStore } from "./store.ts";

/**
 * The file is looked at so often at least, in milliseconds: another window may have written a reminder and been closed,
 * the machine may have slept, and no timer takes more than 24 days.
 */
export const LOOK_MS = 60_000;

/** What the clock is made of. */
export interface ReminderClockOptions {
  readonly store: Pick<ReminderStore, "list" | "takeDue">;
  /** Shows a reminder that is due. Must not throw. */
  readonly show: (reminder: Reminder) => void;
  readonly onFailure: (failure: Failure) => void;
  readonly timer: Timer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Shows each reminder once it is due, in one window of all that are open. */
export class ReminderClock {
  readonly #options: ReminderClockOptions;
  #stop: () => void = () => undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #disposed = false;

  constructor(options: ReminderClockOptions) {
    this.#options = options;
  }

  /** Looks now, and goes on looking. Resolves when it has looked. */
  wake(): Promise<void> {
    if (this.#looking !== undefined) {
      this.#again = true;
      return this.#looking;
    }
    this.#looking = this.#untilQuiet().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Stops for good. */
  dispose(): void {
    this.#disposed = true;
    this.#stop();
  }

  async #untilQuiet(): Promise<void> {
    do {
      this.#again = false;
      this.#stop();
      const wait = await this.#look();
      if (this.#isDisposed()) return;
      this.#stop = this.#options.timer(wait, () => void this.wake());
    } while (this.#isAsked());
  }

  /** Shows what is due, and gives how long to wait for the next, in milliseconds. */
  async #look(): Promise<number> {
    const { store, show, now } = this.#options;
    const listed = this.#told(await store.list());
    const waiting = listed.filter(({ shownAt }) => shownAt === null);
    // The lock is taken only when there is something to take.
    if (waiting.some(({ at }) => at <= now())) {
      for (const reminder of this.#told(await store.takeDue(now()))) if (!this.#disposed) show(reminder);
    }
    const next = waiting.find(({ at }) => at > now());
    return next === undefined ? LOOK_MS : Math.min(LOOK_MS, Math.max(1, next.at - now()));
  }

  #told(result: Result<readonly Reminder[]>): readonly Reminder[] {
    if (result.ok) return result.value;
    this.#options.onFailure(result.failure);
    return [];
  }

  /** Whether it was disposed of, or asked to look again, by now; the compiler takes both for things that never change. */
  #isDisposed(): boolean {
    return this.#disposed;
  }

  #isAsked(): boolean {
    return this.#again;
  }
}

import { systemTimer, type Timer } from "../timer.ts";

/** Where time comes from; tests pass a fake one. */
export interface Clock {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  readonly timer: Timer;
}

/** The real clock. */
export const systemClock: Clock = { now: () => performance.now(), timer: systemTimer };

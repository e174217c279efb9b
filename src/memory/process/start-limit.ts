/** Most starts within the window of time. */
const STARTS = 5;
const WINDOW_MS = 60_000;

/** Bounds how often the memory process is started, so that one that can't live does not eat the machine. */
export class StartLimit {
  readonly #now: () => number;
  #starts: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a start; 0 when it may go on, else the milliseconds to wait. */
  take(): number {
    const now = this.#now();
    this.#starts = this.#starts.filter((start) => now - start < WINDOW_MS);
    const first = this.#starts[0];
    if (first !== undefined && this.#starts.length >= STARTS) return first + WINDOW_MS - now;
    this.#starts.push(now);
    return 0;
  }

  /** Forgets the latest start: it ended well, or what it started works. */
  forgive(): void {
    this.#starts.pop();
  }
}

import type { Timer } from "../../agent/timer.ts";

/** Draws something that changes, not more often than it can be drawn: what changes meanwhile is drawn together. */
export class Painter {
  readonly #paint: () => Promise<void>;
  readonly #timer: Timer;
  readonly #gapMs: number;
  #cancel: (() => void) | undefined;
  #painting: Promise<void> = Promise.resolve();
  #isCooling = false;
  #isWanted = false;

  /**
   * @param paint draws it as it stands; must not reject
   * @param gapMs between two drawings at least, in milliseconds
   */
  constructor(paint: () => Promise<void>, timer: Timer, gapMs: number) {
    this.#paint = paint;
    this.#timer = timer;
    this.#gapMs = gapMs;
  }

  /** Asks for a drawing, at once where it may be. */
  request(): void {
    if (this.#isCooling) this.#isWanted = true;
    else this.#now();
  }

  /** Draws no more. */
  stop(): void {
    this.#cancel?.();
    this.#isCooling = true;
  }

  /** Draws the last time. Resolves when that is done; nothing is drawn after it. */
  async finish(): Promise<void> {
    this.stop();
    await this.#painting;
    await this.#paint();
  }

  #now(): void {
    this.#isWanted = false;
    this.#isCooling = true;
    this.#painting = this.#painting.then(() => this.#paint());
    this.#cancel = this.#timer(this.#gapMs, () => {
      this.#isCooling = false;
      if (this.#isWanted) this.#now();
    });
  }
}

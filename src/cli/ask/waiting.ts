/** Seconds between two lines, by how long the wait has been: nobody counts seconds after some minutes. */
function interval(seconds: number): number {
  return seconds < 120 ? 5 : 15;
}

/**
 * Says how long a model has been silent, every few seconds: a cold model can take minutes to load, and silence looks
 * like a hang. Holds one timer at most, none after `stop`.
 */
export class WaitingClock {
  readonly #say: (line: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Begins a wait, such as `Loading` `qwen3:8b`; one that was on ends. */
  start(verb: string, model: string): void {
    this.stop();
    const began = Date.now();
    const tick = (seconds: number): void => {
      this.#timer = setTimeout(
        () => {
          const waited = Math.round((Date.now() - began) / 1_000);
          this.#say(`${verb} ${model}, ${waited} s`);
          tick(waited);
        },
        interval(seconds) * 1_000,
      );
    };
    tick(0);
  }

  /** Ends the wait; may be called at any time. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

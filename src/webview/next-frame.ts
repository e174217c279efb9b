/** Runs work once with the next frame that is drawn, however often it is asked for until then. */
export class NextFrame {
  readonly #work: () => void;
  #asked = false;

  constructor(work: () => void) {
    this.#work = work;
  }

  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#work();
    });
  }
}

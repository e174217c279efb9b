/** Work that takes longer than this in one go is felt where people type, in milliseconds. */
const SPAN_MS = 12;

/** Gives long work its pauses: whoever else has something to do comes first. */
export class Breath {
  private began = performance.now();

  /** Pauses where it is time to; else resolves without one. */
  async take(): Promise<void> {
    if (performance.now() - this.began < SPAN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.began = performance.now();
  }
}

const SAVE_AFTER_MS = 250;

/** The page may be torn down at any moment: what was chosen is saved at once, what still moves a moment later. */
export class Saver {
  private readonly write: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(write: () => void) {
    this.write = write;
  }

  /** Saves at once. */
  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.write();
  }

  /** Saves a moment later, once for all that changes until then. */
  soon(): void {
    this.timer ??= setTimeout(() => this.save(), SAVE_AFTER_MS);
  }
}

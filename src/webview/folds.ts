import type { TurnModel } from "../trace/model.ts";

/** Cells that were folded or unfolded by hand and are kept in mind, at most; the oldest are let go. */
const MAX_KEPT = 600;

/** What is open and what is folded, by hand or all at once. */
export class Folds {
  /** Counts the changes, so that a view knows when to draw again. */
  revision = 0;
  /** Set when all of the turn was folded or unfolded at once: what holds for a cell that was not touched since. */
  all: boolean | undefined;
  readonly #kept: Map<string, boolean>;

  constructor(kept: Iterable<readonly [string, boolean]>, all: boolean | null) {
    this.#kept = new Map(kept);
    this.all = all ?? undefined;
  }

  /** Whether something is open; `byDefault` holds until the user says otherwise. */
  isOpen(key: string, byDefault: boolean): boolean {
    return this.#kept.get(key) ?? this.all ?? byDefault;
  }

  /** Whether something was opened for itself: what is unfolded all at once leaves it as it is. */
  isOpened(key: string): boolean {
    return this.#kept.get(key) ?? false;
  }

  set(key: string, open: boolean): void {
    this.revision += 1;
    this.#kept.delete(key);
    this.#kept.set(key, open);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
  }

  /** Folds or unfolds everything in a turn; what was done by hand in it before no longer counts. */
  setAll(turn: TurnModel, open: boolean): void {
    this.revision += 1;
    this.all = open;
    for (const key of [...this.#kept.keys()]) {
      // A key is the id of a cell, or begins with it.
      const id = key.split(/[ /]/, 1)[0] ?? key;
      if (id === turn.turnId || turn.cells.has(id)) this.#kept.delete(key);
    }
  }

  /** Another turn is shown. */
  begin(): void {
    this.revision += 1;
    this.all = undefined;
  }

  /** What is kept, the newest last. */
  kept(): readonly (readonly [string, boolean])[] {
    return [...this.#kept];
  }
}

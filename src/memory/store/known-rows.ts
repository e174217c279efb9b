import { Recent } from "./recent.ts";

/** So many rows of a table are kept at least, twice as many at most: some 250 bytes each. */
const LEAST_ROWS = 16_000;

/** A table whose rows are kept, see `StoreTable.generation`. */
interface Kept {
  generation(): string | undefined;
}

/**
 * What rows of one table hold, by where they lie, so that it is not read again. A row never changes where it lies: a
 * change of it and the putting together of files lay it elsewhere. So all is known as long as the table is the same
 * one, whoever writes to it; which rows there are is asked of the table each time.
 */
export class KnownRows<T> {
  readonly #table: Kept;
  readonly #rows: Recent<number, T>;
  #of: string | undefined;

  constructor(table: Kept, least = LEAST_ROWS) {
    this.#table = table;
    this.#rows = new Recent(least);
  }

  /** The table that rows are asked of, to be handed on with them; undefined: nothing may be kept of it. */
  begin(): string | undefined {
    const generation = this.#table.generation();
    if (generation !== this.#of) this.#rows.clear();
    this.#of = generation;
    return generation;
  }

  /**
   * What rows hold, by where they lie, those that are not known read at once by `read`. Rejects when the table is
   * another one than at `begin`: the rows are not its own then.
   */
  async at(
    rows: readonly number[],
    generation: string | undefined,
    read: (unknown: readonly number[]) => Promise<ReadonlyMap<number, T>>,
  ): Promise<ReadonlyMap<number, T>> {
    const found = new Map<number, T>();
    const unknown: number[] = [];
    for (const row of rows) {
      const known = generation === this.#of ? this.#rows.get(row) : undefined;
      if (known === undefined) unknown.push(row);
      else found.set(row, known);
    }
    const fresh = unknown.length === 0 ? new Map<number, T>() : await read(unknown);
    this.keep(fresh, generation);
    fresh.forEach((value, row) => found.set(row, value));
    return found;
  }

  /** Keeps what rows hold. Rejects as `at` does. */
  keep(rows: ReadonlyMap<number, T>, generation: string | undefined): void {
    if (generation !== this.#table.generation()) throw new Error("The table was made anew.");
    if (generation === undefined || generation !== this.#of) return;
    for (const [row, value] of rows) this.#rows.set(row, value);
  }
}

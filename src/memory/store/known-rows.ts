import type { Table } from "@lancedb/lancedb";
import { Recent } from "./recent.ts";

/** So many rows that came later are kept at least, twice as many at most: some 350 bytes each. */
const LEAST_ROWS = 2_000;
/** With more unknown rows than this in one answer it is quicker to ask for all of it at once. */
const MOST_UNKNOWN = 40;

/** A table whose rows are kept, see `StoreTable.generation`. */
interface Kept {
  generation(): string | undefined;
}

/** What all rows of a table held when they were read, by where they lie. */
export interface LaidRows<T> {
  /** What a row holds; undefined for one that was not there. */
  at(row: number): T | undefined;
}

/** Reads what rows hold, by where they lie; rows that are gone are left out. Rejects as the library does. */
export type ReadRows<T> = (table: Table, rows: readonly number[]) => Promise<ReadonlyMap<number, T>>;

/** What is known of rows without asking for it, see `KnownRows`. */
export type RowsKnown<T> = Pick<KnownRows<T>, "begin" | "at">;

/**
 * What rows of one table hold, by where they lie, so that it is not read again: all that were read at once, and single
 * ones that came later. A row never changes where it lies: a change of it and the putting together of files lay it
 * elsewhere. So what is known holds as long as the table is the same one, whoever writes to it; which rows there are is
 * asked of the table each time.
 */
export class KnownRows<T> {
  readonly #table: Kept;
  readonly #read: ReadRows<T>;
  readonly #later = new Recent<number, T>(LEAST_ROWS);
  #laid: LaidRows<T> | undefined;
  #of: string | undefined;

  constructor(table: Kept, read: ReadRows<T>) {
    this.#table = table;
    this.#read = read;
  }

  /** Takes all rows of a table that was of this generation when they were read. */
  fill(laid: LaidRows<T>, generation: string): void {
    this.#later.clear();
    this.#laid = laid;
    this.#of = generation;
  }

  /** The table that rows are asked of, to be handed on with them; undefined: nothing is known of it, or nothing of use. */
  begin(): string | undefined {
    if (this.#laid === undefined) return undefined;
    if (this.#table.generation() !== this.#of) this.#forget();
    return this.#of;
  }

  /**
   * What rows hold, in their order; those that are not known are read. Undefined when too many of them are unknown, or
   * one can't be read, since files were put together or rows removed meanwhile: one query for all of it is the way
   * then. Rejects when the table is another one than at `begin`: the rows are not its own then.
   */
  async at(table: Table, rows: readonly number[], generation: string): Promise<readonly T[] | undefined> {
    this.#check(generation);
    const found = rows.map((row) => this.#laid?.at(row) ?? this.#later.get(row));
    const unknown = rows.filter((_, index) => found[index] === undefined);
    if (unknown.length === 0) return found.filter((each) => each !== undefined);
    if (unknown.length > MOST_UNKNOWN) {
      this.#forget();
      return undefined;
    }
    const fresh = await this.#read(table, unknown);
    this.#check(generation);
    for (const [row, value] of fresh) this.#later.set(row, value);
    const whole = found.flatMap((each, index) => each ?? fresh.get(rows[index] ?? -1) ?? []);
    return whole.length === rows.length ? whole : undefined;
  }

  #check(generation: string): void {
    if (generation !== this.#table.generation()) throw new Error("The table was made anew.");
  }

  #forget(): void {
    this.#later.clear();
    this.#laid = undefined;
    this.#of = undefined;
  }
}

interface Run {
  readonly first: number;
  readonly index: number;
  length: number;
}

/**
 * The indexes of rows by where they lie. Most rows lie one after the other, so only runs of them are kept, in whatever
 * order they come: a scan gives one file's rows beside another's.
 */
export class RowRuns {
  readonly #runs: Run[] = [];
  #count = 0;
  #sorted = true;

  /** How many rows there are. */
  get count(): number {
    return this.#count;
  }

  /** Adds the row that has the next index. */
  add(row: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && row === last.first + last.length && this.#count === last.index + last.length) {
      last.length += 1;
    } else {
      this.#sorted &&= last === undefined || row > last.first;
      this.#runs.push({ first: row, index: this.#count, length: 1 });
    }
    this.#count += 1;
  }

  /** The index of a row; undefined when it was not added. */
  indexOf(row: number): number | undefined {
    if (!this.#sorted) {
      this.#runs.sort((a, b) => a.first - b.first);
      this.#sorted = true;
    }
    let [low, high] = [0, this.#runs.length - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const { first, index, length } = this.#runs[middle] ?? { first: 0, index: 0, length: 0 };
      if (row < first) high = middle - 1;
      else if (row >= first + length) low = middle + 1;
      else return index + row - first;
    }
    return undefined;
  }
}

/** As many rows can be forgotten at once. */
const MAX_SELECTED = 1000;

/** The rows of a table that are selected. */
export class Selection {
  private readonly ids = new Set<string>();
  private from = 0;
  private isAll = false;

  /** Whether all rows that match are selected, those too that have not come. */
  get all(): boolean {
    return this.isAll;
  }

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.isAll || this.ids.has(id);
  }

  list(): readonly string[] {
    return [...this.ids];
  }

  clear(): void {
    this.isAll = false;
    this.ids.clear();
  }

  /** Selects all rows that match. */
  selectAll(): void {
    this.clear();
    this.isAll = true;
  }

  /** Selects some rows more. */
  add(ids: readonly string[]): void {
    for (const id of ids) if (this.ids.size < MAX_SELECTED) this.ids.add(id);
  }

  /** Selects a row, or lets go of it. A range begins there. */
  toggle(id: string, index: number): void {
    this.from = index;
    this.isAll = false;
    if (!this.ids.delete(id) && this.ids.size < MAX_SELECTED) this.ids.add(id);
  }

  /** Selects everything between where the range began and a row, as far as it has come. */
  extendTo(index: number, idAt: (index: number) => string | undefined): void {
    this.isAll = false;
    const [first, last] = this.from < index ? [this.from, index] : [index, this.from];
    for (let at = first; at <= last && this.ids.size < MAX_SELECTED; at += 1) {
      const id = idAt(at);
      if (id !== undefined) this.ids.add(id);
    }
  }

  /** Where a range begins that is selected from here on. */
  begin(index: number): void {
    if (this.ids.size === 0) this.from = index;
  }
}

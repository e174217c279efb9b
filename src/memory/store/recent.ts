/**
 * A map that keeps what was used of late, at least `least` entries and never more than twice as many. What is asked for
 * again lives on: it moves from the older half into the newer one.
 */
export class Recent<K, V> {
  readonly #least: number;
  #newer = new Map<K, V>();
  #older = new Map<K, V>();

  constructor(least: number) {
    this.#least = least;
  }

  /** How many entries are kept. */
  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  /** The value of a key; undefined when it was never set, or not used for too long. */
  get(key: K): V | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /** Sets the value of a key. */
  set(key: K, value: V): void {
    this.#older.delete(key);
    this.#newer.set(key, value);
    if (this.#newer.size < this.#least) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  /** Lets go of all. */
  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}

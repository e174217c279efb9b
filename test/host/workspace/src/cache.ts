/** Keeps the answers of `load` for ten minutes. */
export class TideCache {
  readonly #entries = new Map<string, { value: number; until: number }>();

  async get(place: string, load: (place: string) => Promise<number>): Promise<number> {
    const entry = this.#entries.get(place);
    if (entry && entry.until > Date.now()) return entry.value;
    const value = await load(place);
    this.#entries.set(place, { value, until: Date.now() + 600_000 });
    return value;
  }
}

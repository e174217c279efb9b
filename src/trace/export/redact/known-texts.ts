const BASE = 257;

/** A text that was found, and where. */
export interface FoundText<Name> {
  readonly start: number;
  readonly end: number;
  readonly name: Name;
}

/** How texts are looked for. */
export interface KnownTextsOptions {
  /** How many UTF-16 units of a text are told apart by one number; shorter texts are not looked for. */
  readonly window: number;
  /** Whether a beginning of a text counts too, if it has at least a window's length: it may have been cut. */
  readonly beginnings: boolean;
  /** At most so many texts are looked for, and so many that begin alike. */
  readonly most: number;
  readonly alike: number;
}

interface Known<Name> {
  readonly text: string;
  readonly name: Name;
}

/**
 * Finds texts that are known by heart, however many there are, in one pass over what they are looked for in: a number
 * that rolls along the text says where one may begin.
 */
export class KnownTexts<Name> {
  readonly #options: KnownTextsOptions;
  /** The weight of the unit that leaves the window, within 32 bits. */
  readonly #leaving: number;
  readonly #byNumber = new Map<number, Known<Name>[]>();
  #count = 0;

  constructor(options: KnownTextsOptions) {
    this.#options = options;
    let leaving = 1;
    for (let at = 1; at < options.window; at += 1) leaving = Math.imul(leaving, BASE);
    this.#leaving = leaving;
  }

  /** Adds a text; the first name of a text stays. */
  add(text: string, name: Name): void {
    const { window, most, alike } = this.#options;
    if (text.length < window || this.#count >= most) return;
    const number = this.#numberOf(text);
    const others = this.#byNumber.get(number) ?? [];
    if (others.length >= alike || others.some((one) => one.text === text)) return;
    others.push({ text, name });
    others.sort((a, b) => b.text.length - a.text.length);
    this.#byNumber.set(number, others);
    this.#count += 1;
  }

  /** Where the texts stand, in order, without overlaps; the longest counts where several begin. */
  find(text: string): readonly FoundText<Name>[] {
    const { window } = this.#options;
    const found: FoundText<Name>[] = [];
    if (this.#count === 0 || text.length < window) return found;
    let number = this.#numberOf(text);
    let from = 0;
    for (let at = 0; ; at += 1) {
      const hit = at < from ? undefined : this.#at(number, text, at);
      if (hit !== undefined) {
        found.push(hit);
        from = hit.end;
      }
      if (at + window >= text.length) return found;
      const without = number - Math.imul(text.charCodeAt(at), this.#leaving);
      number = (Math.imul(without, BASE) + text.charCodeAt(at + window)) | 0;
    }
  }

  #at(number: number, text: string, start: number): FoundText<Name> | undefined {
    let best: FoundText<Name> | undefined;
    for (const known of this.#byNumber.get(number) ?? []) {
      const length = this.#lengthAt(known.text, text, start);
      if (length > (best === undefined ? 0 : best.end - best.start))
        best = { start, end: start + length, name: known.name };
      if (length === known.text.length) break;
    }
    return best;
  }

  #lengthAt(known: string, text: string, start: number): number {
    if (text.startsWith(known, start)) return known.length;
    if (!this.#options.beginnings) return 0;
    let length = 0;
    while (length < known.length && known.charCodeAt(length) === text.charCodeAt(start + length)) length += 1;
    return length >= this.#options.window ? length : 0;
  }

  #numberOf(text: string): number {
    let number = 0;
    for (let at = 0; at < this.#options.window; at += 1)
      number = (Math.imul(number, BASE) + text.charCodeAt(at)) | 0;
    return number;
  }
}

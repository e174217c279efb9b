/** Shorter texts are only recognised whole: `yes` stands in many a text that has nothing to do with it. */
const MIN_PART = 16;
/** A text is recognised by its beginning: it may stand elsewhere with its end cut off. */
const HEAD_LENGTH = 160;
/** So many texts are looked for in the middle of others; more are recognised at the beginning only. */
const MAX_PARTS = 500;

/** Texts to be found again in other texts: whole, or by their beginning. */
export class TextSet {
  readonly #wholes = new Set<string>();
  readonly #heads = new Set<string>();
  readonly #parts: string[] = [];

  /** Adds a text; anything else and white space count as nothing. */
  add(value: unknown): void {
    if (typeof value !== "string") return;
    const text = value.trim();
    if (text === "") return;
    this.#wholes.add(text);
    const head = text.slice(0, HEAD_LENGTH);
    if (text.length < MIN_PART || this.#heads.has(head)) return;
    this.#heads.add(head);
    if (this.#parts.length < MAX_PARTS) this.#parts.push(head);
  }

  /** The beginnings that are looked for in the middle of texts. */
  get parts(): readonly string[] {
    return this.#parts;
  }

  /** Whether a text is one of these, begins like one, or holds the beginning of one. */
  isIn(value: unknown): boolean {
    if (typeof value !== "string" || this.#wholes.size === 0) return false;
    const text = value.trim();
    if (this.#wholes.has(text) || this.#heads.has(text.slice(0, HEAD_LENGTH))) return true;
    return this.#parts.some((part) => text.includes(part));
  }
}

import { MAX_REFERENCE } from "../trace/panel-limits.ts";

/** Texts that are being typed, at most; the oldest are let go. */
const MAX_TEXTS = 20;
/** UTF-16 units of each that outlive the page: as many as the longest of them may have. */
const MAX_LENGTH = MAX_REFERENCE;

/** What is typed in small forms, such as the reason for a grade, until it is sent or given up. */
export class Typed {
  /** Counts the changes, so that a view knows when to draw again. */
  revision = 0;
  readonly #texts: Map<string, string>;

  constructor(kept: Iterable<readonly [string, string]>) {
    this.#texts = new Map(kept);
  }

  /** What stands in a field; undefined where nothing was typed. */
  get(key: string): string | undefined {
    return this.#texts.get(key);
  }

  /** Keeps what was typed; undefined: it was sent, or given up. */
  set(key: string, text: string | undefined): void {
    this.revision += 1;
    this.#texts.delete(key);
    if (text !== undefined) this.#texts.set(key, text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= MAX_TEXTS) break;
      this.#texts.delete(oldest);
    }
  }

  /** What is kept while the page is hidden, the newest last. */
  saved(): readonly (readonly [string, string])[] {
    return [...this.#texts].map(([key, text]) => [key, text.slice(0, MAX_LENGTH)] as const);
  }
}

/** Reads what an earlier page saved; nothing where that is not understood. */
export function readTyped(value: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(value)) return [];
  const isPair = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "string";
  return value.filter(isPair).slice(-MAX_TEXTS);
}

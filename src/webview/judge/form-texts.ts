import type { Store } from "../store.ts";

/** What stands in the fields of a small form. It outlives the page being hidden, and goes when the form is closed. */
export class FormTexts<Field extends string> {
  readonly #store: Store;
  readonly #key: string;
  readonly #fields: readonly Field[];

  constructor(store: Store, key: string, fields: readonly Field[]) {
    this.#store = store;
    this.#key = key;
    this.#fields = fields;
  }

  /** The text of each field; empty where nothing was typed. */
  get values(): { readonly [field in Field]: string } {
    const texts = this.#fields.map(
      (field) => [field, this.#store.typed.get(this.#keyOf(field)) ?? ""] as const,
    );
    return Object.fromEntries(texts) as { readonly [field in Field]: string };
  }

  /** Keeps what a field holds now. */
  set(field: Field, text: string): void {
    this.#store.type(this.#keyOf(field), text === "" ? undefined : text);
  }

  /** Lets all of them go: they were sent, or given up. */
  clear(): void {
    for (const field of this.#fields) {
      const key = this.#keyOf(field);
      if (this.#store.typed.get(key) !== undefined) this.#store.type(key, undefined);
    }
  }

  #keyOf(field: Field): string {
    return `${this.#key} ${field}`;
  }
}

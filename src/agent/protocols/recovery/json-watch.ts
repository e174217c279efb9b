import type { Catalogue } from "./catalogue.ts";
import { JsonCursor } from "./json-cursor.ts";
import { isCallKey } from "./shapes.ts";

/**
 * Watches a text that begins like JSON and tells at the first character that makes it something other than calls and
 * nothing else: a key that no call has, or prose behind the value.
 */
export class JsonWatch {
  readonly #catalogue: Catalogue;
  #cursor: JsonCursor;
  #isList = false;
  #hasKey = false;
  #isRefuted = false;
  /** Between values: inside a tag, or on the line of a fence mark. */
  #between: "plain" | "tag" | "fence" = "plain";
  #isBetween: boolean;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#cursor = this.#newCursor();
    this.#isBetween = true;
  }

  /** Takes the next character; true once the text can't be calls any more. */
  refutes(char: string): boolean {
    if (!this.#isRefuted) {
      if (this.#isBetween) this.#takeBetween(char);
      else this.#takeInside(char);
    }
    return this.#isRefuted;
  }

  #newCursor(): JsonCursor {
    return new JsonCursor((key, depth) => {
      if (depth !== (this.#isList ? 2 : 1)) return;
      this.#hasKey = true;
      if (!isCallKey(key, this.#catalogue)) this.#isRefuted = true;
    });
  }

  #takeInside(char: string): void {
    const isFirst = this.#cursor.depth === (this.#isList ? 1 : 0);
    if (this.#isList && isFirst && char.trim() !== "" && !"{],/*".includes(char)) this.#isRefuted = true;
    this.#cursor.push(char);
    if (this.#cursor.broken === "deep") this.#isRefuted = true;
    if (this.#cursor.broken === "tag") {
      this.#isBetween = true;
      this.#between = "tag";
    } else if (this.#cursor.closed) {
      this.#isBetween = true;
      this.#between = "plain";
      if (!this.#hasKey) this.#isRefuted = true;
    }
  }

  #takeBetween(char: string): void {
    if (this.#between === "tag") {
      if (char === ">") this.#between = "plain";
      return;
    }
    if (char === "{" || char === "[") this.#begin(char);
    else if (char === "<") this.#between = "tag";
    else if (char === "`") this.#between = "fence";
    else if (char === "\n") this.#between = "plain";
    else if (this.#between === "fence" ? !/[\w \t\r-]/.test(char) : !/[\s,;\]}]/.test(char))
      this.#isRefuted = true;
  }

  #begin(char: string): void {
    this.#isBetween = false;
    this.#isList = char === "[";
    this.#hasKey = false;
    this.#cursor = this.#newCursor();
    this.#cursor.push(char);
  }
}

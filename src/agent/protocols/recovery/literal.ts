import type { Json } from "../../models/types.ts";

const MAX_DEPTH = 32;

/** Marks of a string, longest first: Python's, JSON's and Gemma's. */
const QUOTES = ['<|"|>', "<escape>", '"""', "'''", '"', "'"];
const WORDS: Readonly<Record<string, Json>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" };
const NUMBER = /^[-+]?(?:\d[\d_]*)?\.?\d+(?:[eE][-+]?\d+)?$/;

/** What a call in parentheses was given. */
export interface CallArguments {
  readonly named: { readonly [key: string]: Json };
  readonly positional: readonly Json[];
}

/**
 * Reads literals as Python and Gemma write them, from a place in a text onwards. Each method moves `at` behind what
 * it read and gives `undefined` when the text is something else; `cut` then says that the text ended too early.
 */
export class LiteralReader {
  at: number;
  cut = false;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** `(a="x", 1)`; `at` stands on the opening parenthesis. */
  callArguments(): CallArguments | undefined {
    const named: [string, Json][] = [];
    const positional: Json[] = [];
    const closed = this.#items(")", 1, () => {
      const key = this.#keyword();
      const value = this.value(1);
      if (value === undefined) return false;
      if (key === undefined) positional.push(value);
      else named.push([key, value]);
      return true;
    });
    return closed ? { named: Object.fromEntries(named), positional } : undefined;
  }

  /** Any literal: string, number, true, false, none, list, tuple, dictionary; a bare word is a string. */
  value(depth = 0): Json | undefined {
    this.#skipSpace();
    if (depth > MAX_DEPTH) return undefined;
    const char = this.#text.charAt(this.at);
    if (char === "{") return this.object(depth + 1);
    if (char === "[") return this.#list("]", depth + 1);
    if (char === "(") return this.#list(")", depth + 1);
    const quote = QUOTES.find((mark) => this.#text.startsWith(mark, this.at));
    return quote === undefined ? this.#word() : this.#string(quote);
  }

  /** `{key: value, "key": value}`; `at` stands on the opening brace. */
  object(depth = 1): { readonly [key: string]: Json } | undefined {
    const entries: [string, Json][] = [];
    const closed = this.#items("}", depth, () => {
      const key = this.#key();
      const value = key === undefined ? undefined : this.value(depth);
      if (key === undefined || value === undefined) return false;
      entries.push([key, value]);
      return true;
    });
    return closed ? Object.fromEntries(entries) : undefined;
  }

  #list(close: string, depth: number): readonly Json[] | undefined {
    const items: Json[] = [];
    const closed = this.#items(close, depth, () => {
      const value = this.value(depth);
      if (value === undefined) return false;
      items.push(value);
      return true;
    });
    return closed ? items : undefined;
  }

  /** Steps over an opening bracket, items between commas, and the closing bracket. */
  #items(close: string, depth: number, item: () => boolean): boolean {
    if (depth > MAX_DEPTH) return false;
    this.at += 1;
    for (;;) {
      this.#skipSpace();
      const char = this.#text.charAt(this.at);
      if (char === "") {
        this.cut = true;
        return false;
      }
      if (char === close) {
        this.at += 1;
        return true;
      }
      if (char === ",") this.at += 1;
      else if (!item()) return false;
    }
  }

  #keyword(): string | undefined {
    const match = /^[A-Za-z_]\w{0,127}\s{0,8}=(?!=)/.exec(this.#text.slice(this.at, this.at + 140));
    if (match === null) return undefined;
    this.at += match[0].length;
    return match[0].slice(0, -1).trim();
  }

  #key(): string | undefined {
    const quote = QUOTES.find((mark) => this.#text.startsWith(mark, this.at));
    const key = quote === undefined ? this.#bareKey() : this.#string(quote);
    this.#skipSpace();
    if (this.at >= this.#text.length) this.cut = true;
    if (typeof key !== "string" || this.#text.charAt(this.at) !== ":") return undefined;
    this.at += 1;
    return key;
  }

  #bareKey(): string | undefined {
    const match = /^[\w.-]{1,128}/.exec(this.#text.slice(this.at, this.at + 128));
    if (match === null) return undefined;
    this.at += match[0].length;
    return match[0];
  }

  #string(quote: string): string | undefined {
    const isPlain = quote.startsWith("<");
    const parts: string[] = [];
    this.at += quote.length;
    let from = this.at;
    while (this.at < this.#text.length) {
      if (this.#text.startsWith(quote, this.at)) {
        parts.push(this.#text.slice(from, this.at));
        this.at += quote.length;
        return parts.join("");
      }
      if (!isPlain && this.#text.charAt(this.at) === "\\") {
        parts.push(this.#text.slice(from, this.at), this.#escape());
        from = this.at;
      } else this.at += 1;
    }
    this.cut = true;
    return undefined;
  }

  #escape(): string {
    const char = this.#text.charAt(this.at + 1);
    const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(this.#text.slice(this.at + 1, this.at + 6));
    if (hex !== null) {
      this.at += 1 + hex[0].length;
      return String.fromCharCode(parseInt(hex[1] ?? hex[2] ?? "0", 16));
    }
    this.at += 2;
    return ESCAPES[char] ?? ("\\'\"".includes(char) ? char : `\\${char}`);
  }

  #word(): Json | undefined {
    const start = this.at;
    while (this.at < this.#text.length && !",)]}:=\n".includes(this.#text.charAt(this.at))) this.at += 1;
    if (this.at >= this.#text.length) {
      this.cut = true;
      return undefined;
    }
    const word = this.#text.slice(start, this.at).trim();
    if (word === "") return undefined;
    const known = WORDS[word];
    if (known !== undefined && Object.hasOwn(WORDS, word)) return known;
    return NUMBER.test(word) ? numberOf(word) : word;
  }

  #skipSpace(): void {
    while (this.at < this.#text.length && this.#text.charAt(this.at).trim() === "") this.at += 1;
  }
}

/** A number, or its digits as a string when a double can't hold them. */
function numberOf(word: string): Json {
  const plain = word.replaceAll("_", "");
  const value = Number(plain);
  const isInteger = /^[-+]?\d+$/.test(plain);
  return Number.isFinite(value) && (!isInteger || Number.isSafeInteger(value)) ? value : plain;
}

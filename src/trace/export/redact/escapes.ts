/** A text with its JSON escapes resolved, and where each of its signs stands in the text it was made of. */
export interface Unescaped {
  readonly text: string;
  /** For each UTF-16 unit of `text` and its end: where it begins in the original. */
  readonly places: Uint32Array;
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  '"': '"',
  "'": "'",
  "/": "/",
  "\\": "\\",
};

const UNIT = /^[0-9a-f]{4}$/i;

/**
 * Resolves the escapes of a JSON text within a text, so that a secret shows which they split or hide; undefined when
 * there are none. In time proportional to the text.
 */
export function unescaped(text: string): Unescaped | undefined {
  if (!text.includes("\\")) return undefined;
  const places = new Uint32Array(text.length + 1);
  const parts: string[] = [];
  let length = 0;
  let at = 0;
  while (at < text.length) {
    const { sign, size } = signAt(text, at);
    places[length] = at;
    parts.push(sign);
    length += 1;
    at += size;
  }
  if (length === text.length) return undefined;
  places[length] = text.length;
  return { text: parts.join(""), places: places.subarray(0, length + 1) };
}

function signAt(text: string, at: number): { readonly sign: string; readonly size: number } {
  const sign = text[at] ?? "";
  if (sign !== "\\") return { sign, size: 1 };
  const next = text[at + 1] ?? "";
  if (next === "u") {
    const digits = text.slice(at + 2, at + 6);
    return UNIT.test(digits)
      ? { sign: String.fromCharCode(parseInt(digits, 16)), size: 6 }
      : { sign, size: 1 };
  }
  const simple = Object.hasOwn(SIMPLE, next) ? SIMPLE[next] : undefined;
  return simple === undefined ? { sign, size: 1 } : { sign: simple, size: 2 };
}

/** Nesting beyond this is no call of a tool; it would only cost stack further on. */
const MAX_DEPTH = 64;

/** How much of a key is remembered; longer ones are no key of a call. */
const MAX_KEY = 80;

/**
 * Follows JSON character by character, without building anything: where brackets close, and which keys stand where.
 * As lenient as the mender that comes after it: comments, single quotes, bare keys and a wrong kind of closing bracket.
 */
export class JsonCursor {
  /** Brackets that are open. */
  depth = 0;
  /** The outermost bracket has been closed. */
  closed = false;
  /** Not JSON of a call any more: nested too deep, or a tag begins outside of a string. */
  broken: "deep" | "tag" | undefined;
  #quote = "";
  #escaped = false;
  #comment: "" | "line" | "block" = "";
  /** The last character, and the last one that was no space. */
  #raw = "";
  #solid = "";
  #token = "";
  readonly #onKey: ((key: string, depth: number) => void) | undefined;

  /** `onKey` is told each key of an object and the depth it stands at (1 for the outermost object). */
  constructor(onKey?: (key: string, depth: number) => void) {
    this.#onKey = onKey;
  }

  /** The last character outside of strings and comments that was no space. */
  get lastSolid(): string {
    return this.#solid;
  }

  /** Takes the next character. Nothing more is to be pushed once `closed` or `broken` is set. */
  push(char: string): void {
    if (this.#quote !== "") this.#inString(char);
    else if (this.#comment !== "") this.#inComment(char);
    else this.#outside(char);
    this.#raw = char;
  }

  #inString(char: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (char === "\\") this.#escaped = true;
    else if (char === this.#quote) this.#quote = "";
    else if (this.#token.length < MAX_KEY) this.#token += char;
  }

  #inComment(char: string): void {
    if (this.#comment === "line" ? char === "\n" : char === "/" && this.#raw === "*") this.#comment = "";
  }

  #outside(char: string): void {
    if (this.#raw === "/" && (char === "/" || char === "*")) {
      this.#comment = char === "/" ? "line" : "block";
      return;
    }
    if (this.#raw === "<" && (char === "/" || char === "|" || char === "｜")) {
      this.broken = "tag";
      return;
    }
    if (char === '"' || char === "“" || (char === "'" && "{[,:(".includes(this.#solid))) {
      this.#quote = char === "“" ? "”" : char;
      this.#token = "";
    } else this.#structure(char);
    if (char.trim() !== "") this.#solid = char;
  }

  #structure(char: string): void {
    if (char === "{" || char === "[") {
      this.depth += 1;
      this.#token = "";
      if (this.depth > MAX_DEPTH) this.broken = "deep";
    } else if (char === "}" || char === "]") {
      this.depth -= 1;
      this.closed = this.depth <= 0;
    } else if (char === ":") {
      this.#onKey?.(this.#token, this.depth);
      this.#token = "";
    } else if (char === ",") this.#token = "";
    else if (this.#token.length < MAX_KEY && char.trim() !== "") this.#token += char;
  }
}

/** How far a JSON value reaches. */
export interface JsonExtent {
  /** Behind its last character; the end of the text, or the tag that stopped it, when it never closed. */
  readonly end: number;
  readonly closed: boolean;
  /** What stopped it before it closed. */
  readonly broken: "deep" | "tag" | undefined;
  /** Brackets still open. */
  readonly open: number;
  /** The last character outside of strings that was no space. */
  readonly lastSolid: string;
}

/** Measures the object or list that begins at `start`. */
export function jsonExtent(text: string, start: number): JsonExtent {
  const cursor = new JsonCursor();
  let at = start;
  while (at < text.length && !cursor.closed && cursor.broken === undefined) {
    cursor.push(text.charAt(at));
    at += 1;
  }
  return {
    end: cursor.broken === "tag" ? at - 2 : at,
    closed: cursor.closed,
    broken: cursor.broken,
    open: cursor.depth,
    lastSolid: cursor.lastSolid,
  };
}

/** A piece of a string field's value, escapes already read. */
export interface FieldText {
  readonly field: string;
  readonly text: string;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

type State = "start" | "key" | "afterKey" | "value" | "string" | "skipString" | "skip" | "ended";

/**
 * Reads the string fields of one JSON object while it is being written, so that an answer can be shown before its
 * closing quote. Only fields of the outermost object that were asked for; each only the first time it comes.
 */
export class JsonFields {
  readonly #wanted: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  #state: State = "start";
  #field = "";
  #depth = 0;
  /** An escape sequence that is not whole yet, its backslash included. */
  #escape = "";
  /** A first half of a surrogate pair that waits for its second. */
  #high = "";

  constructor(wanted: readonly string[]) {
    this.#wanted = new Set(wanted);
  }

  /** Whether the field's value has begun. */
  has(field: string): boolean {
    return this.#seen.has(field);
  }

  /** Takes the next piece and gives what it added to the fields. */
  push(text: string): readonly FieldText[] {
    const out: FieldText[] = [];
    for (const unit of text.split("")) this.#take(unit, out);
    return out;
  }

  /** Ends the text: half a surrogate pair that still waits becomes a replacement character. */
  finish(): readonly FieldText[] {
    const out: FieldText[] = [];
    this.#emit("", out, true);
    return out;
  }

  #take(unit: string, out: FieldText[]): void {
    if (this.#state === "string" || this.#state === "key" || this.#state === "skipString") {
      this.#inString(unit, out);
    } else if (this.#state === "skip") this.#inSkipped(unit);
    else if (this.#state !== "ended") this.#between(unit);
  }

  /** Between the parts of the outermost object. */
  #between(unit: string): void {
    if (unit === "}") this.#state = "ended";
    else if (this.#state === "afterKey") {
      if (unit === ":") this.#state = "value";
    } else if (this.#state === "value") {
      if (unit.trim() === "") return;
      if (unit === '"') this.#beginString();
      else {
        this.#state = "skip";
        this.#depth = 0;
        this.#inSkipped(unit);
      }
    } else if (unit === '"') {
      this.#state = "key";
      this.#field = "";
    }
  }

  #beginString(): void {
    const isWanted = this.#wanted.has(this.#field) && !this.#seen.has(this.#field);
    if (isWanted) this.#seen.add(this.#field);
    this.#depth = 0;
    this.#state = isWanted ? "string" : "skipString";
  }

  #inSkipped(unit: string): void {
    if (unit === '"') this.#state = "skipString";
    else if (unit === "{" || unit === "[") this.#depth += 1;
    else if ((unit === "}" || unit === "]") && this.#depth > 0) this.#depth -= 1;
    else if (this.#depth === 0 && (unit === "," || unit === "}")) {
      this.#state = unit === "," ? "start" : "ended";
    }
  }

  #inString(unit: string, out: FieldText[]): void {
    if (this.#escape !== "") this.#takeEscape(unit, out);
    else if (unit === "\\") this.#escape = unit;
    else if (unit === '"') this.#endString(out);
    else this.#emit(unit, out);
  }

  #takeEscape(unit: string, out: FieldText[]): void {
    this.#escape += unit;
    if (this.#escape.startsWith("\\u")) {
      if (this.#escape.length < 6) return;
      const code = parseInt(this.#escape.slice(2), 16);
      this.#escape = "";
      this.#emit(Number.isNaN(code) ? "\ufffd" : String.fromCharCode(code), out);
      return;
    }
    this.#escape = "";
    this.#emit(ESCAPES[unit] ?? unit, out);
  }

  #endString(out: FieldText[]): void {
    this.#emit("", out, true);
    if (this.#state === "key") this.#state = "afterKey";
    else if (this.#state === "string") this.#state = "start";
    else this.#state = this.#depth > 0 ? "skip" : "start";
  }

  /** Adds to what the string is for; with `ends` no second half of a pair can come any more. */
  #emit(unit: string, out: FieldText[], ends = false): void {
    if (this.#state === "key") {
      if (this.#field.length < 200) this.#field += unit;
      return;
    }
    if (this.#state !== "string") return;
    let text = this.#high + unit;
    this.#high = "";
    if (!ends && isHigh(text.charAt(text.length - 1))) {
      this.#high = text.charAt(text.length - 1);
      text = text.slice(0, -1);
    }
    if (text === "") return;
    const last = out.at(-1);
    const piece = text.toWellFormed();
    if (last?.field === this.#field) out[out.length - 1] = { field: this.#field, text: last.text + piece };
    else out.push({ field: this.#field, text: piece });
  }
}

function isHigh(unit: string): boolean {
  return unit >= "\ud800" && unit <= "\udbff";
}

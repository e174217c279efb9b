/** The longest line that is read, in bytes; a longer one breaks the stream. Real ones stay below a few hundred KB. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const NEWLINE = 0x0a;

/** What a push of bytes came to: whole values, and the reason when the stream can't be read further. */
export interface NdjsonBatch {
  readonly values: readonly unknown[];
  /** Said once: a line that is no JSON or too long. Nothing after it is read. */
  readonly broken?: string;
}

/**
 * Reads newline-delimited JSON piece by piece. Bytes may be cut anywhere, also inside a character: lines are put
 * together as bytes, and a newline byte is never part of another character in UTF-8. Empty lines and CRLF are fine.
 */
export class NdjsonReader {
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #broken: string | undefined;
  readonly #maxLineBytes: number;
  readonly #readKnown: (line: string) => object | undefined;

  /** `readKnown` reads lines of a form that is known, without white space around them; nothing for all others. */
  constructor(
    maxLineBytes: number = MAX_LINE_BYTES,
    readKnown: (line: string) => object | undefined = () => undefined,
  ) {
    this.#maxLineBytes = maxLineBytes;
    this.#readKnown = readKnown;
  }

  /** Takes bytes and gives the values of the lines they complete. */
  push(bytes: Uint8Array): NdjsonBatch {
    const values: unknown[] = [];
    if (this.#broken !== undefined) return this.#batch(values);
    const last = bytes.lastIndexOf(NEWLINE);
    if (last === -1) {
      this.#keep(bytes);
    } else {
      this.#readAll(bytes.subarray(0, last), values);
      this.#keep(bytes.subarray(last + 1));
    }
    return this.#batch(values);
  }

  /** Ends the input and gives the value of a last line without a newline. */
  end(): NdjsonBatch {
    const values: unknown[] = [];
    if (this.#broken === undefined) this.#readAll(new Uint8Array(0), values);
    return this.#batch(values);
  }

  #batch(values: readonly unknown[]): NdjsonBatch {
    return this.#broken === undefined ? { values } : { values, broken: this.#broken };
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#broken !== undefined) return;
    this.#restBytes += bytes.length;
    if (this.#restBytes > this.#maxLineBytes) this.#tooLong();
    else this.#rest.push(bytes);
  }

  /** Reads whole lines: what was kept, then these bytes. All are decoded at once, which is cheaper than one by one. */
  #readAll(lastPart: Uint8Array, values: unknown[]): void {
    const bytes = this.#restBytes === 0 ? lastPart : Buffer.concat([...this.#rest, lastPart]);
    this.#rest = [];
    this.#restBytes = 0;
    const mayBeTooLong = bytes.length > this.#maxLineBytes;
    for (const line of toText(bytes).split("\n")) {
      if (mayBeTooLong && Buffer.byteLength(line) > this.#maxLineBytes) this.#tooLong();
      else this.#read(line.trim(), values);
      if (this.#broken !== undefined) return;
    }
  }

  #read(line: string, values: unknown[]): void {
    if (line === "") return;
    try {
      values.push(this.#readKnown(line) ?? JSON.parse(line));
    } catch {
      this.#broken = `a line is not JSON: ${line.slice(0, 200)}`;
    }
  }

  #tooLong(): void {
    this.#broken = `a line is longer than ${this.#maxLineBytes} bytes`;
    this.#rest = [];
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

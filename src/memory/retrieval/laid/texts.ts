import { isAscii } from "node:buffer";
import { z } from "zod";

/** A column of one batch of a result, as the library gives it. */
export interface Column {
  readonly data: readonly unknown[];
  get(index: number): unknown;
}

/** One batch of a result. */
export interface Batch {
  readonly numRows: number;
  getChild(name: string): Column | null;
}

/** A column of texts as the bytes that it came in. */
export interface RawTexts {
  readonly bytes: Uint8Array;
  /** Where each text begins; one more than there are texts. */
  readonly offsets: Int32Array;
  /** A text, made of its bytes. */
  readonly at: (index: number) => string;
}

const rawSchema = z.object({ values: z.instanceof(Uint8Array), valueOffsets: z.instanceof(Int32Array) });

/** A column of a batch; throws when there is none of this name. */
export function columnOf(batch: Batch, name: string): Column {
  const column = batch.getChild(name);
  if (column === null) throw new Error(`The result has no column ${name}.`);
  return column;
}

/** The bytes of a column of texts; throws when it is no such column. */
export function rawTexts(batch: Batch, name: string): RawTexts {
  const column = columnOf(batch, name);
  const raw = rawSchema.parse(column.data[0]);
  return {
    bytes: raw.values,
    offsets: raw.valueOffsets,
    at: (index) => {
      const text = column.get(index);
      return typeof text === "string" ? text : "";
    },
  };
}

/** The whole numbers or floats of a column, added to `numbers` from a place on; throws where one is none. */
export function copyNumbers(
  batch: Batch,
  name: string,
  numbers: Float64Array | Float32Array | Uint8Array,
  from: number,
): void {
  const column = columnOf(batch, name);
  for (let index = 0; index < batch.numRows; index += 1) {
    const value = Number(column.get(index));
    if (!Number.isFinite(value)) throw new Error(`The column ${name} does not hold numbers.`);
    numbers[from + index] = value;
  }
}

/** Many texts, one after the other in one piece of memory. */
export class TextBytes {
  #bytes: Buffer;
  readonly #ends: Uint32Array;
  #count = 0;
  /** Read as what it is as long as all is ASCII, as ids are: that takes half the time. */
  #encoding: "latin1" | "utf8" = "latin1";

  /** @param count how many texts there will be */
  constructor(count: number, bytes = 0) {
    this.#ends = new Uint32Array(count);
    this.#bytes = Buffer.allocUnsafe(bytes);
  }

  /** Adds the texts of a batch. */
  add({ bytes, offsets }: RawTexts, rows: number): void {
    const from = offsets[0] ?? 0;
    const length = (offsets[rows] ?? 0) - from;
    const start = this.#end(this.#count);
    this.#reserve(start + length);
    const own = bytes.subarray(from, from + length);
    this.#bytes.set(own, start);
    if (!isAscii(own)) this.#encoding = "utf8";
    for (let index = 1; index <= rows; index += 1) {
      this.#ends[this.#count] = start + (offsets[index] ?? 0) - from;
      this.#count += 1;
    }
  }

  /** The text at a place. */
  at(index: number): string {
    return this.#bytes.toString(this.#encoding, this.#end(index), this.#ends[index]);
  }

  /** Whether the text at a place is made of these bytes. */
  equals(index: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#end(index);
    const end = this.#ends[index] ?? 0;
    return end - start === to - from && this.#bytes.compare(bytes, from, to, start, end) === 0;
  }

  /** Gives back memory that was reserved and is not used. */
  trim(): void {
    this.#bytes = Buffer.from(this.#bytes.subarray(0, this.#end(this.#count)));
  }

  /** Where the text before a place ends, and so the one at it begins. */
  #end(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Texts of which many are the same: each is kept once, and a number for each row. */
export class Names {
  readonly #rows: Uint32Array;
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  /** @param count how many rows there will be */
  constructor(count: number) {
    this.#rows = new Uint32Array(count);
  }

  /** How many different ones there are. */
  get size(): number {
    return this.#texts.length;
  }

  /** Adds the texts of a batch from a row on, each as `as` makes it. */
  add(texts: RawTexts, rows: number, from: number, as: (text: string) => string = (text) => text): void {
    const { bytes, offsets } = texts;
    let last = -1;
    for (let index = 0; index < rows; index += 1) {
      const repeats = index > 0 && isSame(bytes, offsets, index);
      if (!repeats) last = this.#numberOf(as(texts.at(index)));
      this.#rows[from + index] = last;
    }
  }

  /** The number of the text of a row. */
  numberAt(row: number): number {
    return this.#rows[row] ?? 0;
  }

  /** The text of a row. */
  at(row: number): string {
    return this.#texts[this.numberAt(row)] ?? "";
  }

  /** The number of a text; undefined when no row has it. */
  numberOf(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}

/** Whether a text of a batch is the one before it again: turns of a session often follow each other. */
function isSame(bytes: Uint8Array, offsets: Int32Array, index: number): boolean {
  const [before, start, end] = [offsets[index - 1] ?? 0, offsets[index] ?? 0, offsets[index + 1] ?? 0];
  if (start - before !== end - start) return false;
  for (let at = 0; at < end - start; at += 1) {
    if (bytes[before + at] !== bytes[start + at]) return false;
  }
  return true;
}

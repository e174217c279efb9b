import { Breath } from "../breath.ts";
import type { ByteSource } from "../source.ts";

/** The longest span that is read, in bytes. */
const MAX_SPAN_BYTES = 4 * 1024 * 1024;
const READ_SIZE = 256 * 1024;
/** A longer text can be no key that is looked for. */
const MAX_KEY = 32;
/** Nested deeper than this it is no file of spans. */
const MAX_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];

/** A span as it stands in the file; undefined for one that is too long. */
export interface SpanText {
  readonly text: string | undefined;
  /** Where it ends, in bytes. */
  readonly end: number;
}

/**
 * Finds the objects of lists called `spans` in a stream of JSON, byte by byte: such a file is one line, often longer than
 * what could be parsed at once. Takes any bytes.
 */
class SpanFinder {
  /** The lists and objects that are open: whether each is a list of spans. */
  private readonly open: boolean[] = [];
  private key: number[] = [];
  private lastKey = "";
  private isInString = false;
  private isEscaped = false;
  /** How deep the span began that is being read; -1 outside of one. */
  private spanDepth = -1;
  private parts: Buffer[] = [];
  private bytes = 0;

  /** Goes through a piece of the file; gives where each span in it ends, with its text. */
  *take(piece: Buffer): Generator<{ readonly text: string | undefined; readonly at: number }> {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (this.isInString) {
        this.inString(byte);
        continue;
      }
      if (byte === QUOTE) {
        this.isInString = true;
        this.key = [];
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.spanDepth < 0 && byte === OPEN_OBJECT && this.open.at(-1) === true) {
          this.spanDepth = this.open.length;
          from = at;
        }
        this.push(byte === OPEN_LIST && this.spanDepth < 0 && this.lastKey === "spans");
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.open.pop();
        if (this.spanDepth !== this.open.length || this.spanDepth < 0) continue;
        this.keep(piece.subarray(from, at + 1));
        this.spanDepth = -1;
        yield { text: this.taken(), at: at + 1 };
      }
    }
    if (this.spanDepth >= 0) this.keep(piece.subarray(from));
  }

  /** Whether it is nested beyond all sense: nothing more is looked for. */
  get isHopeless(): boolean {
    return this.open.length > MAX_DEPTH && this.spanDepth < 0;
  }

  private push(isSpans: boolean): void {
    this.open.push(isSpans);
    this.lastKey = "";
  }

  private inString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) {
      this.isInString = false;
      this.lastKey = this.key.length > MAX_KEY ? "" : String.fromCharCode(...this.key);
      return;
    }
    if (this.spanDepth < 0 && this.key.length <= MAX_KEY) this.key.push(byte);
  }

  private keep(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes <= MAX_SPAN_BYTES) this.parts.push(Buffer.from(part));
    else this.parts = [];
  }

  private taken(): string | undefined {
    const text = this.bytes > MAX_SPAN_BYTES ? undefined : Buffer.concat(this.parts).toString("utf8");
    this.parts = [];
    this.bytes = 0;
    return text;
  }
}

/** The spans of a file of OTLP JSON, one request or several after each other, in order. Rejects when it can't be read. */
export async function* spanTexts(
  source: ByteSource,
  signal: AbortSignal,
): AsyncGenerator<SpanText, void, undefined> {
  const bytes = await source.open();
  try {
    const finder = new SpanFinder();
    const breath = new Breath();
    const buffer = Buffer.allocUnsafe(READ_SIZE);
    for (let position = 0; ;) {
      const read = await bytes.read(buffer, position);
      if (read === 0 || signal.aborted || finder.isHopeless) return;
      for (const { text, at } of finder.take(buffer.subarray(0, read))) {
        yield { text, end: position + at };
        await breath.take();
      }
      position += read;
      await breath.take();
    }
  } finally {
    await bytes.close();
  }
}

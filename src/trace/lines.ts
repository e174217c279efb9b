import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";

const READ_SIZE = 256 * 1024;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const REPLACEMENT = "\uFFFD";

/** A line of a file, without its end. */
export interface FileLine {
  /** UTF-8 decoded; undefined when the line was too long and was passed over. */
  readonly text: string | undefined;
  /** Where the next line starts, in bytes. */
  readonly end: number;
  /** False for the last line of a file that does not end with a line feed. */
  readonly complete: boolean;
  /** It held bytes that are no UTF-8: signs of replacement stand in their place. */
  readonly damaged?: true;
}

/** Bytes that can be read from any position. */
export interface OpenBytes {
  /** Fills the buffer from a position on; gives how many bytes were read, 0 at the end. Rejects when that fails. */
  read(buffer: Buffer, position: number): Promise<number>;
  close(): Promise<void>;
}

/** Which lines are read. */
export interface LineRange {
  /** Where the first line starts, in bytes. */
  readonly from?: number;
  /** No line that starts here or later is read; left out: all are. */
  readonly to?: number;
  /** A longer line is passed over; 64 MB where it is left out. */
  readonly maxBytes?: number;
}

/** Opens a file on disk. Rejects when it can't be read. */
export async function openFile(path: string): Promise<OpenBytes> {
  const file = await open(path, "r");
  return {
    read: async (buffer, position) => (await file.read(buffer, 0, buffer.length, position)).bytesRead,
    close: () => file.close(),
  };
}

/** Gathers the pieces of a line that is spread over several reads; holds no more than a line may have. */
class LineParts {
  private readonly most: number;
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(most: number) {
    this.most = most;
  }

  get length(): number {
    return this.bytes;
  }

  add(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes <= this.most) this.parts.push(Buffer.from(part));
    else this.parts = [];
  }

  take(): Pick<FileLine, "text" | "damaged"> {
    const isTooLong = this.bytes > this.most;
    const whole = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts);
    this.parts = [];
    this.bytes = 0;
    return isTooLong || whole === undefined ? { text: undefined } : decoded(whole);
  }
}

function decoded(bytes: Buffer): Pick<FileLine, "text" | "damaged"> {
  const text = bytes.toString("utf8");
  // Only a text with such a sign can have been damaged, and hardly any has one.
  return text.includes(REPLACEMENT) && !isUtf8(bytes) ? { text, damaged: true } : { text };
}

/**
 * The lines of a file from a byte offset on. Only `\n` ends a line: U+2028, U+0085 and `\r` are text. Rejects when the
 * file can't be read.
 */
export function readLines(path: string, from = 0): AsyncGenerator<FileLine, void, undefined> {
  return linesOf(() => openFile(path), { from });
}

/** The lines of anything that can be read as a file can. Rejects when it can't be opened or read. */
export async function* linesOf(
  openBytes: () => Promise<OpenBytes>,
  { from = 0, to = Infinity, maxBytes = MAX_LINE_BYTES }: LineRange,
): AsyncGenerator<FileLine, void, undefined> {
  const bytes = await openBytes();
  try {
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(READ_SIZE, to - from)));
    const line = new LineParts(maxBytes);
    let position = from;
    for (;;) {
      const bytesRead = await bytes.read(buffer, position);
      if (bytesRead === 0) break;
      let start = 0;
      for (;;) {
        const found = buffer.indexOf(NEWLINE, start);
        if (found < 0 || found >= bytesRead) break;
        const part = buffer.subarray(start, found);
        start = found + 1;
        const isWhole = line.length === 0 && part.length <= maxBytes;
        // Nearly all lines come in one piece, and are read where they stand.
        if (!isWhole) line.add(part);
        yield { ...(isWhole ? decoded(part) : line.take()), end: position + start, complete: true };
        if (position + start >= to) return;
      }
      line.add(buffer.subarray(start, bytesRead));
      position += bytesRead;
    }
    if (line.length > 0) yield { ...line.take(), end: position, complete: false };
  } finally {
    await bytes.close();
  }
}

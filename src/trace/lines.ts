import { open } from "node:fs/promises";

const READ_SIZE = 256 * 1024;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A line of a file, without its end. */
export interface FileLine {
  /** UTF-8 decoded; undefined when the line was longer than 64 MB and was passed over. */
  readonly text: string | undefined;
  /** Where the next line starts, in bytes. */
  readonly end: number;
  /** False for the last line of a file that does not end with a line feed. */
  readonly complete: boolean;
}

/** Gathers the pieces of a line that is spread over several reads; holds at most 64 MB. */
class LineParts {
  private parts: Buffer[] = [];
  private bytes = 0;

  get length(): number {
    return this.bytes;
  }

  add(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes <= MAX_LINE_BYTES) this.parts.push(Buffer.from(part));
    else this.parts = [];
  }

  take(): string | undefined {
    const text = this.bytes > MAX_LINE_BYTES ? undefined : Buffer.concat(this.parts).toString("utf8");
    this.parts = [];
    this.bytes = 0;
    return text;
  }
}

/**
 * The lines of a file from a byte offset on. Only `\n` ends a line: U+2028, U+0085 and `\r` are text. Rejects when the
 * file can't be read.
 */
export async function* readLines(path: string, from = 0): AsyncGenerator<FileLine, void, undefined> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(READ_SIZE);
    const line = new LineParts();
    let position = from;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_SIZE, position);
      if (bytesRead === 0) break;
      let start = 0;
      for (;;) {
        const found = buffer.indexOf(NEWLINE, start);
        if (found < 0 || found >= bytesRead) break;
        line.add(buffer.subarray(start, found));
        start = found + 1;
        yield { text: line.take(), end: position + start, complete: true };
      }
      line.add(buffer.subarray(start, bytesRead));
      position += bytesRead;
    }
    if (line.length > 0) yield { text: line.take(), end: position, complete: false };
  } finally {
    await file.close();
  }
}

import { Breath } from "./breath.ts";
import { bufferSource, type ByteSource } from "./source.ts";

/** A longer file in UTF-16 is left as it is: it is held in memory once it is turned. */
const MAX_BYTES = 128 * 1024 * 1024;
const PIECE = 1024 * 1024;

/** Which UTF-16 a file begins with; undefined for all others. */
function encodingOf(first: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (first[0] === 0xff && first[1] === 0xfe) return "utf-16le";
  return first[0] === 0xfe && first[1] === 0xff ? "utf-16be" : undefined;
}

/**
 * A source of UTF-8: one in UTF-16, as some shells write files, is turned into it; all others are given back as they are.
 * Rejects when it can't be read.
 *
 * @param onTurned is told where it was turned
 */
export async function asUtf8(source: ByteSource, onTurned: () => void): Promise<ByteSource> {
  const bytes = await source.open();
  try {
    const first = Buffer.alloc(2);
    await bytes.read(first, 0);
    const encoding = encodingOf(first);
    if (encoding === undefined || (await source.size()) > MAX_BYTES) return source;
    const decoder = new TextDecoder(encoding);
    const breath = new Breath();
    const piece = Buffer.alloc(PIECE);
    const parts: Buffer[] = [];
    for (let position = 0; ;) {
      const read = await bytes.read(piece, position);
      parts.push(Buffer.from(decoder.decode(piece.subarray(0, read), { stream: read > 0 }), "utf8"));
      if (read === 0) break;
      position += read;
      await breath.take();
    }
    onTurned();
    return bufferSource(Buffer.concat(parts));
  } finally {
    await bytes.close();
  }
}

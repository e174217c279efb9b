import { Transform, type TransformCallback } from "node:stream";
import { createInflate, createInflateRaw, constants, type Inflate, type InflateRaw } from "node:zlib";

/** The low half of the first byte of a zlib stream. */
const ZLIB_METHOD = 8;

/**
 * Unfolds what servers call `deflate`: most send a zlib stream, as the standard has it, and some the bare deflated data.
 * Which it is shows in the first byte. Unfolds no faster than it is read.
 */
export class AnyInflate extends Transform {
  #inner: Inflate | InflateRaw | undefined;

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    this.#inner ??= this.#start(chunk);
    this.#inner.write(chunk, encoding, done);
  }

  override _flush(done: TransformCallback): void {
    // Data that ends before the body does has ended the inner stream already.
    if (!this.#inner || this.#inner.readableEnded) {
      done();
      return;
    }
    this.#inner.once("end", done);
    this.#inner.end();
  }

  override _read(size: number): void {
    super._read(size);
    this.#inner?.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner?.destroy();
    done(error);
  }

  #start(first: Buffer): Inflate | InflateRaw {
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    const isZlib = ((first[0] ?? 0) & 0x0f) === ZLIB_METHOD;
    const inner = isZlib ? createInflate(options) : createInflateRaw(options);
    inner.on("data", (unfolded: Buffer) => {
      if (!this.push(unfolded)) inner.pause();
    });
    inner.on("error", (error) => this.destroy(error));
    return inner;
  }
}

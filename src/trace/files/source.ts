import { stat } from "node:fs/promises";
import { openFile, type OpenBytes } from "../lines.ts";

/** A file, wherever it is kept, read piece by piece. */
export interface ByteSource {
  /** Looks at it anew: how many bytes there are now. Rejects when it is gone. */
  size(): Promise<number>;
  /** Opens it for reading. Rejects when that can't be. */
  open(): Promise<OpenBytes>;
}

/** A file on disk. Nothing of it is held. */
export function diskSource(path: string): ByteSource {
  return {
    size: async () => {
      const found = await stat(path);
      if (!found.isFile()) throw new Error("it is not a file");
      return found.size;
    },
    open: () => openFile(path),
  };
}

/** Bytes that are held already. */
export function bufferSource(bytes: Uint8Array): ByteSource {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: () => Promise.resolve(whole.length),
    open: () =>
      Promise.resolve({
        read: (buffer: Buffer, position: number) =>
          Promise.resolve(whole.copy(buffer, 0, Math.min(position, whole.length), position + buffer.length)),
        close: () => Promise.resolve(),
      }),
  };
}

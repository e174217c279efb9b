import type { ByteSource } from "./source.ts";

/** How files begin that gzip, zstd, zip, bzip2 and xz make. */
const BEGINNINGS: readonly (readonly number[])[] = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x50, 0x4b, 0x03, 0x04],
  [0x42, 0x5a, 0x68],
  [0xfd, 0x37, 0x7a, 0x58],
];
const LONGEST = 4;

/**
 * Whether a file is compressed. Such a file is not unpacked here: a small one may hold more than a disk, and what it
 * holds is not known. Rejects when it can't be read.
 */
export async function isCompressed(source: ByteSource): Promise<boolean> {
  const bytes = await source.open();
  try {
    const first = Buffer.alloc(LONGEST);
    const read = await bytes.read(first, 0);
    return BEGINNINGS.some(
      (beginning) => beginning.length <= read && beginning.every((byte, at) => first[at] === byte),
    );
  } finally {
    await bytes.close();
  }
}

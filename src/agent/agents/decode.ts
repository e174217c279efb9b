/** The text of a file's bytes, and what is to be said about how it is written. */
export interface Decoded {
  /** Without a byte order mark. */
  readonly text: string;
  /** Said at the beginning of the file; absent when all is well. */
  readonly problem?: string;
}

/**
 * Decodes a file: UTF-8, or UTF-16 where it begins with that mark. Bytes that are no UTF-8 are read as Windows wrote
 * western languages before it, and that is said. Never throws.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes) };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes) };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const text = new TextDecoder("windows-1252").decode(bytes);
    return {
      text,
      problem: "The file is not UTF-8; letters such as ä may be wrong. Save it with encoding UTF-8.",
    };
  }
}

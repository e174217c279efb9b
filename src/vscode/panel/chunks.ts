/** Characters a post; 64 KB even when each takes four bytes of JSON. */
const CHUNK = 32 * 1024;

/** Where a part of a long text that starts at `offset` ends: never between the halves of a surrogate pair. */
export function chunkEnd(text: string, offset: number): number {
  const end = Math.min(text.length, offset + CHUNK);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

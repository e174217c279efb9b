import type { TextBytes } from "./texts.ts";

/** The places of texts, found by their bytes: a hash table of numbers alone, 8 to 16 bytes for each text. */
export class IdSlots {
  readonly #texts: TextBytes;
  /** One more than the place of a text; 0 where there is none. Never more than half full. */
  readonly #slots: Uint32Array;

  /** @param count how many texts there will be at most */
  constructor(texts: TextBytes, count: number) {
    this.#texts = texts;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  }

  /** Adds the text at a place, whose bytes these are; of the same text twice the first place holds. */
  add(place: number, bytes: Uint8Array, from: number, to: number): void {
    const slot = this.#slotOf(bytes, from, to);
    if (this.#slots[slot] === 0) this.#slots[slot] = place + 1;
  }

  /** The place of a text with these bytes; -1 when there is none. */
  placeOf(bytes: Uint8Array, from: number, to: number): number {
    return (this.#slots[this.#slotOf(bytes, from, to)] ?? 0) - 1;
  }

  /** Where a text is, or where it would be put. */
  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    const last = this.#slots.length - 1;
    let slot = hashOf(bytes, from, to) & last;
    for (;;) {
      const place = (this.#slots[slot] ?? 0) - 1;
      if (place < 0 || this.#texts.equals(place, bytes, from, to)) return slot;
      slot = (slot + 1) & last;
    }
  }
}

/** FNV-1a, its bits mixed once more: only the lower ones are used. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

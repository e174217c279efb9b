import type { Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Which elements of the page the rows of a virtual list are drawn in. A row keeps its element while it is drawn; those
 * that come take over, in order, the elements of those that went between the same rows. So few are made where all that
 * is in sight changes, and none is ever moved: an element that is moved loses the focus, and the list its place.
 */
export class Slots {
  #held: readonly { readonly key: string; readonly slot: number }[] = [];
  #made = 0;

  /** The slot of each row that is drawn, by the rows' keys, from top to bottom. No slot is given twice. */
  assign(keys: readonly string[]): readonly number[] {
    const held = this.#held;
    const drawn = new Set(keys);
    const places = new Map(held.map(({ key }, place) => [key, place]));
    let next = 0;
    this.#held = keys.map((key) => {
      const place = places.get(key);
      const before = held[place ?? next];
      // Behind the last row there is nothing to take over, and nothing from one that stays.
      if (before === undefined || (place === undefined && drawn.has(before.key)))
        return { key, slot: this.#made++ };
      next = Math.max(next, (place ?? next) + 1);
      return { key, slot: before.slot };
    });
    return this.#held.map(({ slot }) => slot);
  }
}

/** The slots of the rows that a list draws now. */
export function useSlots(keys: readonly string[]): readonly number[] {
  const slots = useRef<Slots | undefined>(undefined);
  slots.current ??= new Slots();
  return slots.current.assign(keys);
}

/**
 * Has rows measured whose elements showed other rows before: an element that is as tall as it was tells nobody that
 * what it shows now is.
 */
export function useMeasured(
  virtual: Virtualizer<HTMLElement, HTMLElement>,
  inner: RefObject<HTMLElement | null>,
): void {
  const shown = useRef(new WeakMap<HTMLElement, string | number | bigint>());
  useLayoutEffect(() => {
    for (const row of inner.current?.children ?? []) {
      if (!(row instanceof HTMLElement)) continue;
      const index = virtual.indexFromElement(row);
      const key = virtual.options.getItemKey(index);
      const before = shown.current.get(row);
      shown.current.set(row, key);
      if (before === undefined || before === key) continue;
      if (virtual.elementsCache.get(before) === row) virtual.elementsCache.delete(before);
      // To be observed anew means to be measured in this frame, together with all others.
      virtual.measureElement(row);
    }
  });
}

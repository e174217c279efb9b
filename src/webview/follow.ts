import type { Virtualizer } from "@tanstack/virtual-core";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TurnModel } from "../trace/model.ts";
import type { Anchor } from "./saved-state.ts";
import type { Store } from "./store.ts";

/** Nearer to the end than this, one follows what comes. */
const FOLLOW_WITHIN = 32;

interface FollowInput {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly scroll: { readonly current: HTMLElement | null };
  readonly virtual: Virtualizer<HTMLElement, HTMLElement>;
}

/** What stands at the top of what is in sight. */
function anchorAt(virtual: FollowInput["virtual"], scrollTop: number): Anchor | null {
  const item = virtual.getVirtualItemForOffset(scrollTop);
  return item === undefined ? null : { cell: String(item.key), offset: scrollTop - item.start };
}

function offsetOf(virtual: FollowInput["virtual"], anchor: Anchor | null): number {
  const item = anchor === null ? undefined : virtual.measurementsCache.find(({ key }) => key === anchor.cell);
  return item === undefined ? 0 : item.start + (anchor?.offset ?? 0);
}

/**
 * Keeps the end in sight while one is there, and comes back to where one was after a reload. Gives what notes the
 * user's own scrolling.
 */
export function useFollow({ store, turn, scroll, virtual }: FollowInput): () => void {
  const settled = useRef(store.anchor === null);
  const height = virtual.getTotalSize();
  // A cell that grows moves what stands below it, never what is in sight. The item's own size may be out of date.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (item) =>
    settled.current &&
    item.start + (virtual.itemSizeCache.get(item.key) ?? item.size) <= (virtual.scrollOffset ?? 0);
  useLayoutEffect(() => {
    const element = scroll.current;
    if (element === null) return;
    if (store.running && store.follow) {
      element.scrollTop = element.scrollHeight;
      settled.current = true;
    } else if (!settled.current) {
      const wanted = offsetOf(virtual, store.anchor);
      element.scrollTop = wanted;
      // The page is as tall as what is in it, also before the list has measured that: only then is the place sure.
      settled.current = store.shown.loaded && wanted > 0 && wanted <= height - element.clientHeight + 1;
    }
  }, [store, turn, height, store.shown.loaded, store.follow, turn.revision]);
  useLayoutEffect(() => {
    const settle = () => (settled.current = true);
    const element = scroll.current;
    element?.addEventListener("wheel", settle, { passive: true });
    element?.addEventListener("pointerdown", settle);
    element?.addEventListener("keydown", settle);
    return () => {
      element?.removeEventListener("wheel", settle);
      element?.removeEventListener("pointerdown", settle);
      element?.removeEventListener("keydown", settle);
    };
  }, []);
  return () => {
    const element = scroll.current;
    if (element === null || !settled.current) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    store.scrolled(anchorAt(virtual, element.scrollTop), left < FOLLOW_WITHIN);
  };
}

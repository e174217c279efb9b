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

/** By what one scrolls oneself. */
const OWN_MOVES = ["wheel", "pointerdown", "keydown"] as const;
const UP_KEYS: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home"]);

/** Whether one begins to go up: by wheel, by key, or with the scroll bar in hand. */
function goesUp(event: Event, element: HTMLElement): boolean {
  if (event instanceof WheelEvent) return event.deltaY < 0;
  if (event instanceof KeyboardEvent) return UP_KEYS.has(event.key);
  return event instanceof PointerEvent && event.target === element && event.offsetX >= element.clientWidth;
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
  const last = useRef(0);
  useLayoutEffect(() => {
    const element = scroll.current;
    if (element === null) return undefined;
    // What comes with the next frame would take the first steps back before they are seen.
    const onOwnMove = (event: Event) => {
      settled.current = true;
      if (element.scrollTop > 0 && goesUp(event, element)) store.letGo();
    };
    for (const type of OWN_MOVES) element.addEventListener(type, onOwnMove, { passive: true });
    return () => {
      for (const type of OWN_MOVES) element.removeEventListener(type, onOwnMove);
    };
  }, [store]);
  return () => {
    const element = scroll.current;
    if (element === null || !settled.current) return;
    const { scrollTop } = element;
    const left = element.scrollHeight - scrollTop - element.clientHeight;
    const moved = scrollTop - last.current;
    last.current = scrollTop;
    store.scrolled(anchorAt(virtual, scrollTop), follows(store.follow, moved, left));
  };
}

/**
 * Whether the end is followed after the place moved by so many pixels, with so many left below. However little one goes
 * up, it is let go; it is taken up again where one comes down to the end. What grows or shrinks changes nothing.
 */
function follows(before: boolean, moved: number, left: number): boolean {
  if (moved < 0) return left < 1 && before;
  return moved > 0 ? left < FOLLOW_WITHIN : before;
}

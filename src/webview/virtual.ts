import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows drawn above and below what is in sight, so that a turn of the wheel finds them there. */
const OVERSCAN = 8;

/** What a virtual list shows. */
export interface VirtualOptions {
  /** What the rows are made from: for as long as it is the same, their keys and estimates are. Left out: never. */
  readonly rows?: object;
  readonly count: number;
  readonly scroll: RefObject<HTMLElement | null>;
  readonly estimate: (index: number) => number;
  readonly keyOf: (index: number) => string;
  /** Drawn also when out of sight, so that it keeps the focus. */
  readonly keep: number;
  readonly paddingEnd?: number;
}

/** The rows of a virtual list. */
export interface VirtualRows {
  readonly virtual: Virtualizer<HTMLElement, HTMLElement>;
  /**
   * Whether all that is in sight was just replaced, as when the bar is dragged. Such a frame draws what is seen and no
   * more; what surrounds it, and what shows only when one comes near, is drawn with the next frame that has time.
   */
  readonly leaping: boolean;
}

/** Draws only the rows in sight: 10,000 rows cost as much as thirty. */
export function useVirtual(options: VirtualOptions): VirtualRows {
  const [, redraw] = useState(0);
  const made = useRef<Virtualizer<HTMLElement, HTMLElement> | undefined>(undefined);
  // Other functions make the virtualizer go through all rows anew, with each frame.
  const told = useRef(options);
  if (options.rows === undefined || options.rows !== told.current.rows) told.current = options;
  const { estimate, keyOf } = told.current;
  const leaping = useLeaps(made.current);
  const settings = {
    count: options.count,
    getScrollElement: () => options.scroll.current,
    estimateSize: estimate,
    getItemKey: keyOf,
    overscan: leaping ? 0 : OVERSCAN,
    paddingEnd: options.paddingEnd ?? 0,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const indexes = defaultRangeExtractor(range);
      const { keep } = options;
      if (keep < 0 || keep >= options.count || indexes.includes(keep)) return indexes;
      return [...indexes, keep].sort((a, b) => a - b);
    },
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw((n) => n + 1),
  };
  made.current ??= new Virtualizer<HTMLElement, HTMLElement>(settings);
  const virtualizer = made.current;
  virtualizer.setOptions(settings);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return { virtual: virtualizer, leaping };
}

/**
 * Whether the list went further than it is tall since it was drawn last; true until the frame after the last leap, with
 * which it is drawn once more.
 */
function useLeaps(virtualizer: Virtualizer<HTMLElement, HTMLElement> | undefined): boolean {
  const [, redraw] = useState(0);
  const drawn = useRef(0);
  const frame = useRef<number | undefined>(undefined);
  const offset = virtualizer?.scrollOffset ?? 0;
  const leapt = Math.abs(offset - drawn.current) > (virtualizer?.scrollRect?.height ?? Infinity);
  useLayoutEffect(() => {
    drawn.current = offset;
    if (!leapt) return;
    // A leap in the next frame comes before what that frame was asked for: it takes its place.
    if (frame.current !== undefined) cancelAnimationFrame(frame.current);
    // What is asked for while a frame is scrolled still belongs to that frame.
    frame.current = requestAnimationFrame(() => {
      frame.current = requestAnimationFrame(() => {
        frame.current = undefined;
        redraw((n) => n + 1);
      });
    });
  });
  useLayoutEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
    },
    [],
  );
  // What is measured in a frame draws it again.
  return leapt || frame.current !== undefined;
}

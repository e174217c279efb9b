import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

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

/** Draws only the rows in sight: 10,000 rows cost as much as thirty. */
export function useVirtual(options: VirtualOptions): Virtualizer<HTMLElement, HTMLElement> {
  const [, redraw] = useState(0);
  const made = useRef<Virtualizer<HTMLElement, HTMLElement> | undefined>(undefined);
  // Other functions make the virtualizer go through all rows anew, with each frame.
  const told = useRef(options);
  if (options.rows === undefined || options.rows !== told.current.rows) told.current = options;
  const { estimate, keyOf } = told.current;
  const settings = {
    count: options.count,
    getScrollElement: () => options.scroll.current,
    estimateSize: estimate,
    getItemKey: keyOf,
    overscan: 8,
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
  return virtualizer;
}

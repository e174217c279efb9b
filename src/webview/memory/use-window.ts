import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** Rows drawn beyond what is in sight, on each side. */
const MARGIN = 12;

/** The height of a row, in pixels. */
export const ROW_HEIGHT = 28;
/** The height of the head line that stays in sight, in pixels. */
export const HEAD_HEIGHT = 27;

/** Which rows of a long table are drawn, and where. */
export interface RowWindow {
  readonly first: number;
  /** The last one that is drawn; before `first` when there are none. */
  readonly last: number;
  /** The height of all rows together, in pixels. */
  readonly height: number;
  /** The width of the table, in pixels. */
  readonly width: number;
  /** Rows that fit into sight. */
  readonly inSight: number;
  /** Where a row stands, in pixels below the head line. */
  top(index: number): number;
  /** Brings a row into sight. */
  reveal(index: number): void;
  readonly onScroll: () => void;
}

interface WindowOptions {
  readonly count: number;
  readonly scroll: RefObject<HTMLElement | null>;
  /** The open row, and how much room it takes below its line, in pixels; -1 for none. */
  readonly open: number;
  readonly openHeight: number;
  readonly onTop: (top: number) => void;
}

/** Lines are all as high, and one row at most is open: where each stands is a sum, however many there are. */
export function useWindow(options: WindowOptions): RowWindow {
  const { count, scroll, open } = options;
  const [place, setPlace] = useState({ top: 0, height: 0, width: 0 });
  const openHeight = open >= 0 ? options.openHeight : 0;
  const look = () => {
    const element = scroll.current;
    if (element === null) return;
    const { scrollTop: top, clientHeight: height, clientWidth: width } = element;
    setPlace((now) =>
      now.top === top && now.height === height && now.width === width ? now : { top, height, width },
    );
  };
  useLayoutEffect(() => {
    const element = scroll.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    look();
    return () => observer.disconnect();
  }, []);
  const top = (index: number) => index * ROW_HEIGHT + (open >= 0 && index > open ? openHeight : 0);
  const indexAt = (y: number) => {
    const below =
      open >= 0 && y >= (open + 1) * ROW_HEIGHT ? Math.max((open + 1) * ROW_HEIGHT, y - openHeight) : y;
    return Math.max(0, Math.min(count - 1, Math.floor(below / ROW_HEIGHT)));
  };
  const seen = Math.max(0, place.height - HEAD_HEIGHT);
  return {
    first: Math.max(0, indexAt(place.top) - MARGIN),
    last: count === 0 ? -1 : Math.min(count - 1, indexAt(place.top + seen) + MARGIN),
    height: count * ROW_HEIGHT + (open >= 0 && open < count ? openHeight : 0),
    width: place.width,
    inSight: Math.max(1, Math.floor(seen / ROW_HEIGHT)),
    top,
    reveal: (index) => {
      const element = scroll.current;
      if (element === null) return;
      const from = top(index);
      if (from < element.scrollTop) element.scrollTop = from;
      else if (from + ROW_HEIGHT > element.scrollTop + seen) element.scrollTop = from + ROW_HEIGHT - seen;
      look();
    },
    onScroll: () => {
      look();
      if (scroll.current !== null) options.onTop(scroll.current.scrollTop);
    },
  };
}

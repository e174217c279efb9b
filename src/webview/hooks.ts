import { useEffect, useState } from "preact/hooks";
import type { Store } from "./store.ts";

/** Draws again whenever the store changes. */
export function useStore(store: Store): void {
  const [, redraw] = useState(0);
  useEffect(() => store.subscribe(() => redraw((n) => n + 1)), [store]);
}

/** The host's time, moving on once a second while something runs. */
export function useClock(store: Store, running: boolean): number {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return store.now();
}

/** Lets a limited number of holders in at a time; the others wait in line. */
export interface Gate {
  /**
   * Waits for a place; gives the way to leave it, or nothing, at once, when the signal fires before that. Who enters
   * `low` lets everybody else go first.
   */
  enter(signal: AbortSignal, priority?: "normal" | "low"): Promise<(() => void) | undefined>;
  /** Changes how many may be in; at least one. */
  resize(places: number): void;
}

/** A gate for `places` holders, first come first served. */
export function createGate(places: number): Gate {
  let limit = Math.max(1, places);
  let inside = 0;
  const lines = { normal: new Set<() => void>(), low: new Set<() => void>() };

  const admit = (): void => {
    for (const line of [lines.normal, lines.low]) {
      for (const next of line) {
        if (inside >= limit) return;
        line.delete(next);
        inside += 1;
        next();
      }
    }
  };
  const leaveOnce = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside -= 1;
      admit();
    };
  };

  return {
    enter: (signal, priority = "normal") => {
      const line = lines[priority];
      if (signal.aborted) return Promise.resolve(undefined);
      if (inside < limit) {
        inside += 1;
        return Promise.resolve(leaveOnce());
      }
      return new Promise((resolve) => {
        const admitted = (): void => {
          signal.removeEventListener("abort", onAbort);
          resolve(leaveOnce());
        };
        const onAbort = (): void => {
          line.delete(admitted);
          resolve(undefined);
        };
        line.add(admitted);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    resize: (next) => {
      limit = Math.max(1, next);
      admit();
    },
  };
}

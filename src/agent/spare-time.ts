/**
 * Does work once the next request is on its way, while its answer is awaited. The HTTP client sends a request in one turn
 * of the event loop: the work is done in the one after it. It must not throw.
 */
export function inSpareTime(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

/**
 * A value that is needed after the next request: it is worked out in spare time, or when it is asked for before that, and
 * once. Asking throws what the work throws.
 */
export function aheadOfTime<T>(work: () => T): () => T {
  let made: { readonly value: T } | undefined;
  const make = (): T => {
    made ??= { value: work() };
    return made.value;
  };
  inSpareTime(() => {
    try {
      make();
    } catch {
      // Who asks for it meets the fault.
    }
  });
  return make;
}

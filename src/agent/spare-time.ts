/**
 * Does work once the next request is on its way, while its answer is awaited. The HTTP client sends a request in one turn
 * of the event loop: the work is done in the one after it. It must not throw.
 */
export function inSpareTime(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

/** Makes something ready in spare time, where that is kept with what it is made of. It may throw. */
export function readyInSpareTime(make: () => void): void {
  inSpareTime(() => {
    try {
      make();
    } catch {
      // Whoever needs it makes it, and meets the fault.
    }
  });
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
  readyInSpareTime(make);
  return make;
}

/** Some listeners, none of which can harm the others or the one who tells them. */
export interface Listeners<Event> {
  /** Adds a listener; gives the way to take it off. */
  add(listener: (event: Event) => unknown): () => void;
  /** Tells all, in the order they came. */
  tell(event: Event): void;
  clear(): void;
}

/** No listeners yet; `onFault` hears what a listener threw, or what its promise was rejected with. */
export function createListeners<Event>(
  onFault: (error: unknown) => void = () => undefined,
): Listeners<Event> {
  const fault = (error: unknown): void => {
    try {
      onFault(error);
    } catch {
      // Who hears of faults has one of its own, such as a log that was closed: there is nobody left to tell.
    }
  };
  const listeners = new Set<{ readonly hear: (event: Event) => unknown }>();
  return {
    add: (listener) => {
      const entry = { hear: listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    tell: (event) => {
      for (const { hear } of listeners) {
        try {
          const given = hear(event);
          if (given instanceof Promise) given.catch(fault);
        } catch (error) {
          fault(error);
        }
      }
    },
    clear: () => listeners.clear(),
  };
}

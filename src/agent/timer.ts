/** Calls `fire` once after `ms` milliseconds; the returned function cancels it. Tests pass one of their own. */
export type Timer = (ms: number, fire: () => void) => () => void;

/** The real clock. */
export const systemTimer: Timer = (ms, fire) => {
  const handle = setTimeout(fire, ms);
  return () => clearTimeout(handle);
};

/** Waits `ms` milliseconds. Gives false, at once, when the signal fires before that. */
export function delay(ms: number, signal: AbortSignal, timer: Timer): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const onAbort = (): void => {
      cancel();
      resolve(false);
    };
    const cancel = timer(ms, () => {
      signal.removeEventListener("abort", onAbort);
      resolve(true);
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** What became of a piece of work that was raced against a signal. */
export type Raced<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "thrown"; readonly error: unknown }
  | { readonly kind: "aborted" };

/**
 * Runs work and stops waiting for it when the signal fires, whether the work heeds the signal or not. Never rejects;
 * what the work gives or throws after that is dropped.
 */
export function raceAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<Raced<T>> {
  if (signal.aborted) return Promise.resolve({ kind: "aborted" });
  return new Promise((resolve) => {
    const onAbort = (): void => resolve({ kind: "aborted" });
    signal.addEventListener("abort", onAbort, { once: true });
    const settle = (raced: Raced<T>): void => {
      signal.removeEventListener("abort", onAbort);
      resolve(raced);
    };
    const thrown = (error: unknown): void => settle({ kind: "thrown", error });
    try {
      work().then((value) => settle({ kind: "value", value }), thrown);
    } catch (error) {
      thrown(error);
    }
  });
}

/** Waits for the work, but no longer than until the signal: the library's own reads can't be stopped. */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<{ readonly value: T } | "aborted"> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.resolve("aborted");
  }
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve("aborted");
    signal.addEventListener("abort", stop, { once: true });
    work.then((value) => resolve({ value }), reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

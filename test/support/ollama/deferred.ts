/** A promise with its keys. (Node 20 has no `Promise.withResolvers`.) */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

/** Makes a promise that is settled from outside. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** A signal that something may go on or has happened. */
export interface Signal {
  readonly promise: Promise<void>;
  readonly fire: () => void;
}

/** Makes a signal that has not fired. */
export function makeSignal(): Signal {
  let fire: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}

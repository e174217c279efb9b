import type { RawCall } from "./shapes.ts";

/**
 * What stands at a place in a text: calls and where they end, a call that was cut off (it never runs), or nothing of
 * the kind (`undefined`).
 */
export type CallReading =
  | { readonly kind: "calls"; readonly calls: readonly RawCall[]; readonly end: number }
  | { readonly kind: "cut"; readonly name?: string }
  | undefined;

/** At most this many calls are taken from one message. */
export const MAX_CALLS = 32;

/** A call that ends too early; the name is said where it was already read. */
export function cutCall(name?: string): CallReading {
  return name === undefined ? { kind: "cut" } : { kind: "cut", name };
}

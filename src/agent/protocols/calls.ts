import { isDeepStrictEqual } from "node:util";
import type { ToolCall } from "../models/types.ts";
import type { ReadCall } from "../protocol.ts";
import type { Catalogue } from "./recovery/catalogue.ts";
import { rawCall, type RawCall } from "./recovery/shapes.ts";

/** Gives calls found in text an id. */
export function identified(calls: readonly RawCall[], callId: () => string): readonly ReadCall[] {
  return calls.map((call) => ({ id: callId(), ...call }));
}

/**
 * The server's calls in good form: each id once, the name without leaked tokens, arguments an object. A server fails
 * for ever after on a conversation that holds anything else.
 */
export function tidyCalls(
  calls: readonly ToolCall[],
  catalogue: Catalogue,
  callId: () => string,
): readonly ReadCall[] {
  const seen = new Set<string>();
  return calls.map((call) => {
    const id = call.id === "" || seen.has(call.id) ? callId() : call.id;
    seen.add(id);
    return { id, ...rawCall(call.name, call.arguments, catalogue) };
  });
}

/** Calls from the text that the server did not already report. */
export function unreported(found: readonly RawCall[], reported: readonly ToolCall[]): readonly RawCall[] {
  return found.filter(
    (call) =>
      !reported.some(
        (other) => other.name === call.name && isDeepStrictEqual(other.arguments, call.arguments),
      ),
  );
}

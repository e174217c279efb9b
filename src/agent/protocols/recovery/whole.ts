import type { Catalogue } from "./catalogue.ts";
import { readValue } from "./json-calls.ts";
import { isJsonObject } from "../../json.ts";
import { CALL_LABEL, FENCE } from "./openers.ts";
import { MAX_CALLS, type CallReading } from "./reading.ts";
import type { RawCall } from "./shapes.ts";
import { opensCall, readBody, readTaggedCalls } from "./tagged.ts";
import { skipTrailer } from "./tags.ts";
import type { JsonObject } from "../../models/types.ts";

/**
 * Reads a message that is nothing but calls, in one code block or several, or bare. Anything else beside them makes it
 * no call.
 */
export function readWhole(text: string, start: number, catalogue: Catalogue): CallReading {
  const calls: RawCall[] = [];
  let at = start + (CALL_LABEL.exec(text.slice(start, start + 40))?.[0].length ?? 0);
  while (at < text.length && calls.length < MAX_CALLS) {
    const fence = FENCE.exec(text.slice(at, at + 80));
    if (fence !== null) at += fence[0].length;
    const reading = opensCall(text, at, catalogue)
      ? readTaggedCalls(text, at, catalogue)
      : readBody(text, at, catalogue);
    if (reading?.kind !== "calls") return calls.length === 0 ? reading : undefined;
    calls.push(...reading.calls);
    const trailer = skipTrailer(text, reading.end);
    if (trailer.inventsResult) return { kind: "calls", calls, end: trailer.end };
    at = trailer.end;
  }
  return at < text.length || calls.length === 0 ? undefined : { kind: "calls", calls, end: at };
}

/** Reads bare JSON, Python, or a name with arguments at `start`; what follows it is for the caller to judge. */
export function readBare(text: string, start: number, catalogue: Catalogue): CallReading {
  return readBody(text, start, catalogue);
}

/** An object, or a code block that may hold one. */
const MAY_BE_OBJECT = /^\s*[{`]/;

/**
 * The arguments of a call that lacks the tool's name: the whole message is an object that has all that some offered
 * tool requires. It is never run; the model can be told.
 */
export function unnamedArguments(message: string, catalogue: Catalogue): JsonObject | undefined {
  if (!MAY_BE_OBJECT.test(message)) return undefined;
  const text = message.trim().replace(FENCE, "");
  if (!text.startsWith("{")) return undefined;
  const reading = readValue(text, 0);
  if (reading?.kind !== "value" || !isJsonObject(reading.value)) return undefined;
  if (skipTrailer(text, reading.end).end < text.length) return undefined;
  const object = reading.value;
  const keys = Object.keys(object);
  const fits = catalogue.tools.some(
    ({ required }) => required.length > 0 && required.every((key) => keys.includes(key)),
  );
  return keys.length > 0 && fits ? object : undefined;
}

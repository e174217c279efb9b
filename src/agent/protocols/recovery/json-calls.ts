import type { Json } from "../../models/types.ts";
import type { Catalogue } from "./catalogue.ts";
import { jsonExtent, type JsonExtent } from "./json-cursor.ts";
import { isJsonObject } from "../../json.ts";
import { parseLoose } from "./json-parse.ts";
import { cutCall, MAX_CALLS, type CallReading } from "./reading.ts";
import { callsOf, rawCall, type RawCall } from "./shapes.ts";
import { readTag } from "./tags.ts";

const NAME_IN_JSON =
  /["'](?:name|tool|tool_name|function|function_name|action)["']\s{0,8}:\s{0,8}["']([\w.:/-]{1,128})["']/;

/** One JSON value in a text. */
export type ValueReading =
  | { readonly kind: "value"; readonly value: Json; readonly end: number }
  | { readonly kind: "cut" }
  | undefined;

/**
 * Reads the object or list at `start`. It is mended only when it surely ends: its brackets close, a closing tag
 * follows, or nothing but the last brace of an object is missing at the end of a message that the model ended itself.
 */
export function readValue(text: string, start: number): ValueReading {
  const extent = jsonExtent(text, start);
  if (!isWhole(text, start, extent)) {
    return extent.broken === undefined ? { kind: "cut" } : undefined;
  }
  const value = parseLoose(text.slice(start, extent.end));
  return value === undefined ? undefined : { kind: "value", value, end: extent.end };
}

function isWhole(text: string, start: number, extent: JsonExtent): boolean {
  if (extent.closed) return true;
  if (extent.broken === "tag") return readTag(text, extent.end)?.role === "close";
  const lacksLastBrace = extent.open === 1 && extent.lastSolid === "}" && text.charAt(start) === "{";
  return extent.broken === undefined && lacksLastBrace;
}

/** Reads calls written as JSON, one value or several behind each other. */
export function readJsonCalls(text: string, start: number, catalogue: Catalogue): CallReading {
  const calls: RawCall[] = [];
  let at = start;
  let end = start;
  while (isOpener(text, at) && calls.length < MAX_CALLS) {
    const reading = readValue(text, at);
    if (reading?.kind === "cut") return cutCall(nameIn(text, at));
    if (reading === undefined) break;
    const found = callsOf(reading.value, catalogue);
    if (found === undefined) break;
    calls.push(...found);
    end = reading.end;
    at = skipBetween(text, end);
  }
  return calls.length === 0 ? undefined : { kind: "calls", calls, end };
}

/** Reads the arguments of a call whose name is already known: an object, at `start`. */
export function readJsonArguments(
  text: string,
  start: number,
  name: string,
  catalogue: Catalogue,
): CallReading {
  const reading = readValue(text, start);
  if (reading?.kind === "cut") return cutCall(name);
  if (reading === undefined || !isJsonObject(reading.value)) return undefined;
  return { kind: "calls", calls: [rawCall(name, reading.value, catalogue)], end: reading.end };
}

/** The tool's name in JSON that could not be read to its end. */
function nameIn(text: string, start: number): string | undefined {
  return NAME_IN_JSON.exec(text.slice(start, start + 400))?.[1];
}

function isOpener(text: string, at: number): boolean {
  const char = text.charAt(at);
  return char === "{" || char === "[";
}

function skipBetween(text: string, start: number): number {
  let at = start;
  while (at < text.length && (text.charAt(at).trim() === "" || ",;".includes(text.charAt(at)))) at += 1;
  return at;
}

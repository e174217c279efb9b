import { cutAtGrapheme } from "../agent/text.ts";

/** The longest string the log keeps whole, in UTF-16 units. */
export const LOGGED_STRING_LIMIT = 256 * 1024;

const MAX_DEPTH = 64;

function boundString(text: string): string {
  if (text.length <= LOGGED_STRING_LIMIT) return text.isWellFormed() ? text : text.toWellFormed();
  const kept = cutAtGrapheme(text, LOGGED_STRING_LIMIT).toWellFormed();
  return `${kept}\n[cut: ${kept.length} of ${text.length} characters kept in the trace]`;
}

/**
 * A value as one line of the log: long strings are cut (and say so), lone surrogates are replaced, nesting is bounded.
 * Nearly all values need none of that, and their JSON shows it, so that they are gone through once. `depth`: how deep it
 * stands in its line.
 */
export function jsonForLog(value: unknown, depth = 0): string {
  return plainJson(value, depth) ?? JSON.stringify(bound(value, depth));
}

/** Whether the value of a JSON text may be beyond the bounds of the log: a quick look, which never misses one that is. */
export function mayBeUnbounded(json: string): boolean {
  return (
    json.length > LOGGED_STRING_LIMIT ||
    json.includes("\\ud") ||
    json.includes("\\uD") ||
    !hasFewBrackets(json)
  );
}

/** A value that anyone may have made, within the bounds of the log. It is the same value where it needs no change. */
export function boundedValue(value: unknown): unknown {
  return plainJson(value) === undefined ? bound(value, 0) : value;
}

/** The JSON of a value that is fit for the log as it is. */
function plainJson(value: unknown, depth = 0): string | undefined {
  try {
    const json = JSON.stringify(value);
    // A lone surrogate is written as such an escape; a text that says so itself is looked at closely for nothing.
    const isFit =
      json.length <= LOGGED_STRING_LIMIT &&
      !json.includes("\\ud") &&
      (hasFewBrackets(json, depth) || isShallow(value, depth));
    return isFit ? json : undefined;
  } catch {
    // Nested too deeply even for `JSON.stringify`.
    return undefined;
  }
}

function hasFewBrackets(json: string, depth = 0): boolean {
  let count = depth;
  for (const bracket of ["{", "["]) {
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > MAX_DEPTH) return false;
    }
  }
  return true;
}

/** Gone through only where the brackets may be many levels: a list of tools has many that are not. */
function isShallow(part: unknown, depth: number): boolean {
  if (typeof part !== "object" || part === null) return true;
  if (depth > MAX_DEPTH) return false;
  return Object.values(part).every((inner) => isShallow(inner, depth + 1));
}

function bound(part: unknown, depth: number): unknown {
  if (typeof part === "string") return boundString(part);
  if (typeof part !== "object" || part === null) return part;
  if (depth > MAX_DEPTH) return "[cut: nested too deeply]";
  return Array.isArray(part)
    ? part.map((item) => bound(item, depth + 1))
    : Object.fromEntries(Object.entries(part).map(([key, item]) => [key, bound(item, depth + 1)]));
}

import { isJsonList, isJsonObject } from "../json.ts";
import type { Json, JsonObject } from "../models/types.ts";
import { jsonExtent } from "../protocols/recovery/json-cursor.ts";
import { parseLoose } from "../protocols/recovery/json-parse.ts";
import type { OutputCheck } from "./check.ts";

/** Places of a text where JSON is looked for. */
const MAX_LOOKS = 200;

/** What an answer came to. */
export type ReadOutput =
  | { readonly ok: true; readonly value: JsonObject }
  | {
      readonly ok: false;
      /** In words for the model. */
      readonly problems: readonly string[];
      /** There was JSON, and it was wrong; else there was none. */
      readonly found: boolean;
    };

/**
 * Reads the object that a structured agent answered with, alone, in a code fence, or within prose; where several stand
 * there, the longest that is valid. What a model writes a little wrong is mended, what was cut off never is, and of a
 * text that was `cut` nothing that may be a part of something larger is taken. A model that only repeats the schema has given nothing.
 */
export function readOutput(
  text: string,
  schema: JsonObject,
  check: OutputCheck,
  how: "whole" | "cut" = "whole",
): ReadOutput {
  const echo = JSON.stringify(schema);
  const found = valuesIn(text, how === "cut").filter(({ value }) => JSON.stringify(value) !== echo);
  const longestFirst = [...found].sort((one, other) => other.length - one.length);
  for (const { value } of longestFirst) {
    if (isJsonObject(value) && check(value).length === 0) return { ok: true, value };
  }
  const [longest] = longestFirst;
  if (longest === undefined)
    return { ok: false, problems: ["there is no whole JSON object in it"], found: false };
  return { ok: false, problems: check(longest.value), found: true };
}

interface Found {
  readonly value: Json;
  /** Of its text. */
  readonly length: number;
}

function valuesIn(text: string, isCut: boolean): readonly Found[] {
  const found: Found[] = [];
  let at = 0;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const start = nextBracket(text, at);
    if (start < 0) break;
    const extent = jsonExtent(text, start);
    if (isCut && !extent.closed) break;
    const value = extent.closed ? valueOf(text.slice(start, extent.end)) : undefined;
    if (value !== undefined) found.push({ value, length: extent.end - start });
    at = value === undefined ? start + 1 : extent.end;
  }
  return found;
}

function nextBracket(text: string, from: number): number {
  const places = [text.indexOf("{", from), text.indexOf("[", from)].filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** An object, or a list that holds one: prose has other things in square brackets. */
function valueOf(text: string): Json | undefined {
  const exact = parseExact(text);
  const value = exact ?? (text.startsWith("{") ? parseLoose(text) : undefined);
  if (isJsonObject(value)) return value;
  if (!isJsonList(value) || !value.some(isJsonObject)) return undefined;
  return value.length === 1 ? value[0] : value;
}

function parseExact(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

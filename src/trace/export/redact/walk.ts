import { isJsonList } from "../../../agent/json.ts";
import type { Json } from "../../../agent/models/types.ts";

/** Deeper values are cut: nothing that is real is nested so deeply, and going through it must not fail. */
const MAX_DEPTH = 100;

/** Changes a text; `name` is that of the field it stands in, where it stands in one. */
export type ChangeText = (text: string, name?: string) => string;

/** A value with every text in it changed, names of fields included. What has no text to change stays the same object. */
export function mapTexts(value: Json, change: ChangeText, name?: string, depth = 0): Json {
  if (typeof value === "string") return change(value, name);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[cut: nested too deeply]";
  if (isJsonList(value)) {
    const mapped = value.map((each) => mapTexts(each, change, name, depth + 1));
    return mapped.some((each, at) => each !== value[at]) ? mapped : value;
  }
  const before = Object.entries(value);
  const after = before.map(([key, each]): [string, Json] => [
    change(key),
    mapTexts(each, change, key, depth + 1),
  ]);
  const isSame = after.every(([key, each], at) => key === before[at]?.[0] && each === before[at][1]);
  return isSame ? value : Object.fromEntries(after);
}

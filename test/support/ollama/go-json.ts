import { isObject } from "./json.ts";

/** JSON as Go writes it: `<`, `>`, `&` and the line separators of Unicode are escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A value with the keys of every object in order, as Go writes its maps. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(sortedKeys);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortedKeys(value[name])]));
}

import type { Json, JsonObject } from "./models/types.ts";

/** Narrows a value to a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Narrows a JSON value to a list. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

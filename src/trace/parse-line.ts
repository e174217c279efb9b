import { isJsonObject } from "../agent/json.ts";
import type { JsonObject } from "../agent/models/types.ts";

/** A line of a log as an object, not checked any further; undefined when it is none. */
export function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

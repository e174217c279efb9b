import { isJsonList, isJsonObject } from "../../../agent/json.ts";
import type { Json, JsonObject } from "../../../agent/models/types.ts";
import { hasTooManyParts } from "../foreign-line.ts";
import type { Attributes } from "./attributes.ts";

/** A text attribute; undefined for anything else. */
export function text(attributes: Attributes, name: string): string | undefined {
  const value = attributes.get(name);
  return typeof value === "string" ? value : undefined;
}

/** A number, also one that was written as text. */
export function number(attributes: Attributes, name: string): number | undefined {
  const value = attributes.get(name);
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const given = Number(value);
  return Number.isFinite(given) ? given : undefined;
}

/** A count: a number that is not negative. */
export function count(attributes: Attributes, name: string): number | undefined {
  const value = number(attributes, name);
  return value === undefined || value < 0 ? undefined : value;
}

/** What an attribute holds as JSON, whether it was written as text or as nested values. */
export function json(attributes: Attributes, name: string): Json | undefined {
  const value = attributes.get(name);
  if (typeof value !== "string") return value ?? undefined;
  if (hasTooManyParts(value)) return undefined;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}

/** The same where it is an object. */
export function object(attributes: Attributes, name: string): JsonObject | undefined {
  const value = json(attributes, name);
  return isJsonObject(value) ? value : undefined;
}

/** Texts in a list. */
export function texts(attributes: Attributes, name: string): readonly string[] {
  const value = attributes.get(name);
  return isJsonList(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** A key with its value, or nothing where there is no value. */
export function maybe(key: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}

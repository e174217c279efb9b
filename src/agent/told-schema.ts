import { isJsonList, isJsonObject } from "./json.ts";
import type { Json, JsonObject, ToolSchema } from "./models/types.ts";
import { oncePer } from "./once-per.ts";

/** Keywords that say which value is meant. Bounds, patterns and defaults are the tool's own check's business. */
const TOLD_KEYWORDS = new Set([
  ...["type", "description", "enum", "const", "properties", "required", "items", "prefixItems"],
  ...["anyOf", "oneOf", "allOf", "$ref", "$defs", "definitions", "additionalProperties"],
]);
/** Keywords whose values are objects by name, and names are no keywords. */
const NAMED = new Set(["properties", "$defs", "definitions"]);

/**
 * A tool as a prompt has it: of its JSON schema only what a model can act on, since each token is read anew by every
 * local model (Ollama drops the rest itself). The same tool gives the same object.
 */
export const toldTool = oncePer(({ name, description, parameters }: ToolSchema): ToolSchema => ({
  name,
  description,
  parameters: told(parameters),
}));

function told(schema: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) {
    const isFlag = key === "additionalProperties" && !isJsonObject(value);
    if (TOLD_KEYWORDS.has(key) && !isFlag) kept[key] = NAMED.has(key) ? eachTold(value) : toldValue(value);
  }
  return kept;
}

function toldValue(value: Json): Json {
  if (isJsonList(value)) return value.map(toldValue);
  return isJsonObject(value) ? told(value) : value;
}

function eachTold(value: Json): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toldValue(inner)]));
}

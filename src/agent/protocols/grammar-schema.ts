import type { Json, JsonObject, ToolSchema } from "../models/types.ts";
import { isJsonList, isJsonObject } from "../json.ts";
import type { StepForm } from "../protocol.ts";

const MAX_DEPTH = 12;
/** Longer repetitions make grammars that servers refuse or crawl through; the tool's own check still holds. */
const MAX_REPEAT = 500;
/** Keywords that are copied as they are, or with their parts made acceptable. */
const COPIED = ["type", "const", "enum", "required"];
const BOUNDED = ["minLength", "maxLength", "minItems", "maxItems"];
const LISTS = ["anyOf", "oneOf", "prefixItems"];
const THOUGHT: JsonObject = { type: "string", maxLength: 200 };

/**
 * The schema that a step is constrained to: one alternative for the answer and one per tool, or those of a form alone.
 * The thought comes first so that it can guide what follows.
 */
export function stepSchema(tools: readonly ToolSchema[], form?: StepForm): JsonObject {
  if (form === "answer") return answerSchema();
  const calls = tools.map((tool) =>
    closed({ thought: THOUGHT, tool: { const: tool.name }, arguments: grammarSchema(tool.parameters) }),
  );
  return { anyOf: form === "call" ? calls : [answerSchema(), ...calls] };
}

/** The schema of a step that can only answer. */
export function answerSchema(): JsonObject {
  // Tiny models like to answer nothing.
  return closed({ thought: THOUGHT, answer: { type: "string", minLength: 1 } });
}

function closed(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/**
 * A JSON schema with only what servers turn into a grammar. References are put in place (a recursive one becomes any
 * value), patterns, formats and large bounds are left out: the tool's own check remains the last word.
 */
export function grammarSchema(schema: JsonObject): JsonObject {
  const definitions = { ...objectAt(schema, "definitions"), ...objectAt(schema, "$defs") };
  return convert(schema, definitions, [], 0);
}

function convert(schema: Json, definitions: JsonObject, open: readonly string[], depth: number): JsonObject {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return {};
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = reference.split("/").at(-1) ?? "";
    const target = definitions[name];
    if (target === undefined || open.includes(name)) return {};
    return convert(target, definitions, [...open, name], depth + 1);
  }
  const inner = (part: Json): JsonObject => convert(part, definitions, open, depth + 1);
  const out: Record<string, Json> = {};
  for (const key of COPIED) if (schema[key] !== undefined) out[key] = schema[key];
  for (const key of BOUNDED) if (isSmall(schema[key])) out[key] = schema[key];
  for (const key of LISTS) {
    const parts = schema[key];
    if (isJsonList(parts)) out[key === "oneOf" ? "anyOf" : key] = parts.map(inner);
  }
  if (isJsonObject(schema["items"])) out["items"] = inner(schema["items"]);
  const merged = mergeAll(schema, inner);
  if (merged !== undefined) Object.assign(out, merged);
  return withProperties(out, schema, inner);
}

function withProperties(
  out: Record<string, Json>,
  schema: JsonObject,
  inner: (part: Json) => JsonObject,
): JsonObject {
  const properties = schema["properties"];
  if (isJsonObject(properties)) {
    const converted = Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, inner(part)]));
    out["properties"] = { ...(isJsonObject(out["properties"]) ? out["properties"] : {}), ...converted };
  }
  const more = schema["additionalProperties"];
  if (isJsonObject(more)) out["additionalProperties"] = inner(more);
  else if (out["properties"] !== undefined) out["additionalProperties"] = false;
  return out;
}

/** `allOf` as one schema: its parts' properties together. */
function mergeAll(schema: JsonObject, inner: (part: Json) => JsonObject): JsonObject | undefined {
  const parts = schema["allOf"];
  if (!isJsonList(parts)) return undefined;
  const converted = parts.map(inner);
  const properties = Object.assign(
    {},
    ...converted.map((part) => objectAt(part, "properties")),
  ) as JsonObject;
  const required = converted.flatMap((part) => (isJsonList(part["required"]) ? part["required"] : []));
  const merged = Object.assign({}, ...converted) as JsonObject;
  return Object.keys(properties).length === 0 ? merged : { ...merged, properties, required };
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key];
  return isJsonObject(value) ? value : {};
}

function isSmall(value: Json | undefined): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_REPEAT;
}

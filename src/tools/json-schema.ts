import { z } from "zod";
import type { Json, JsonObject } from "../agent/models/types.ts";
import { oncePer } from "../agent/once-per.ts";
import type { Tool } from "../agent/tool.ts";

/** Keywords that tell a model nothing it can act on, or that some servers reject. */
const DROPPED_KEYWORDS = new Set(["$schema", "additionalProperties", "~standard"]);

/**
 * The JSON schema of a tool's arguments, `type: "object"` at the top. Computed once per tool, so that the prompt's
 * prefix stays byte-identical from turn to turn. An argument with a default is not listed as required.
 */
export function argumentsSchema({ parameters }: Tool): JsonObject {
  return schemaOf(parameters);
}

const schemaOf = oncePer((type: z.ZodType): JsonObject => {
  const raw = z.toJSONSchema(type, { io: "input", unrepresentable: "any" });
  const plain: unknown = JSON.parse(JSON.stringify(raw));
  const cleaned = clean(plain as Json);
  return isObject(cleaned) ? { ...cleaned, type: "object" } : { type: "object" };
});

function clean(value: Json, underProperties = false): Json {
  if (isList(value)) return value.map((item) => clean(item));
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (!underProperties && (DROPPED_KEYWORDS.has(key) || isSafeIntegerBound(key, inner))) continue;
    kept[key] = clean(inner, !underProperties && key === "properties");
  }
  return kept;
}

/** zod states the safe integer range as bounds of every `int`; that is noise to a model. */
function isSafeIntegerBound(key: string, value: Json): boolean {
  return (key === "maximum" || key === "minimum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

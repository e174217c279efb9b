import { isObject } from "./json.ts";

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const DEPTH_LIMIT = 32;

/** Says what the real server finds wrong with `format`, or nothing. */
export function formatProblem(format: unknown): string | undefined {
  if (format === undefined || format === "json") return undefined;
  if (!isObject(format)) {
    const shown = JSON.stringify(JSON.stringify(format));
    return `invalid format: ${shown}; expected "json" or a valid JSON Schema object`;
  }
  return isSound(format, format, 0) ? undefined : "invalid JSON schema in format";
}

function isSound(schema: unknown, root: Record<string, unknown>, depth: number): boolean {
  if (typeof schema === "boolean") return true;
  if (!isObject(schema) || depth > DEPTH_LIMIT) return false;
  const type = schema["type"];
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (!types.every((one) => typeof one === "string" && TYPES.includes(one))) return false;
  if (typeof schema["$ref"] === "string" && resolveRef(schema["$ref"], root) === undefined) return false;
  if (LISTS.some((key) => schema[key] !== undefined && !Array.isArray(schema[key]))) return false;
  if (typeof schema["pattern"] === "string" && !isPattern(schema["pattern"])) return false;
  return children(schema).every((child) => isSound(child, root, depth + 1));
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

function children(schema: Record<string, unknown>): readonly unknown[] {
  const lists = LISTS.flatMap((key) => {
    const value = schema[key];
    return Array.isArray(value) ? (value as readonly unknown[]) : [];
  });
  const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
  const items = isObject(schema["items"]) ? [schema["items"]] : [];
  return [...lists, ...properties, ...items];
}

function resolveRef(ref: string, root: Record<string, unknown>): unknown {
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    if (!isObject(at)) return undefined;
    at = at[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return at;
}

/** The smallest value that the schema allows; `words` fills free strings. */
export function smallestValue(schema: unknown, words = "scripted"): unknown {
  return isObject(schema) ? build(schema, schema, words, 0) : {};
}

function build(schema: unknown, root: Record<string, unknown>, words: string, depth: number): unknown {
  if (!isObject(schema) || depth > DEPTH_LIMIT) return null;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return (schema["enum"] as readonly unknown[])[0];
  if (typeof schema["$ref"] === "string") {
    return build(resolveRef(schema["$ref"], root), root, words, depth + 1);
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const options = schema[key];
    if (Array.isArray(options)) return build(options[0], root, words, depth + 1);
  }
  const type: unknown = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  if (type === "array") return buildArray(schema, root, words, depth);
  if (type === "object" || isObject(schema["properties"])) return buildObject(schema, root, words, depth);
  return buildScalar(schema, type, words);
}

function buildObject(
  schema: Record<string, unknown>,
  root: Record<string, unknown>,
  words: string,
  depth: number,
): unknown {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly unknown[]) : [];
  const chosen = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(chosen.map(([name, inner]) => [name, build(inner, root, words, depth + 1)]));
}

function buildArray(
  schema: Record<string, unknown>,
  root: Record<string, unknown>,
  words: string,
  depth: number,
): unknown {
  const length = Number(schema["minItems"] ?? 0);
  return Array.from({ length }, () => build(schema["items"], root, words, depth + 1));
}

function buildScalar(schema: Record<string, unknown>, type: unknown, words: string): unknown {
  switch (type) {
    case "integer":
    case "number":
      return Math.max(Number(schema["minimum"] ?? 0), 0);
    case "boolean":
      return true;
    case "null":
      return null;
    default: {
      const shortest = Number(schema["minLength"] ?? 0);
      const longest = Number(schema["maxLength"] ?? Infinity);
      return words.padEnd(shortest, "x").slice(0, Math.min(longest, Math.max(words.length, shortest)));
    }
  }
}

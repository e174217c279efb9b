import { isJsonObject } from "../json.ts";
import type { Json, JsonObject } from "../models/types.ts";

/** How deep nested values are mended; what lies deeper goes to the check as it is. */
const MAX_DEPTH = 6;

/** Mends values by their JSON schema; `root` holds the definitions that `$ref` points to. */
export interface Mender {
  readonly root: JsonObject;
  /** What was mended, in words. */
  readonly notes: string[];
}

/** The properties that a schema of an object names. */
export function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema["properties"]) ? schema["properties"] : {};
}

/** The names of the properties that must be there. */
export function requiredOf(schema: JsonObject): readonly string[] {
  const required = schema["required"];
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : [];
}

/**
 * JSON text as a value, or nothing when it is none. Integers too large for a number (ids, mostly) are kept as strings,
 * digit for digit.
 */
export function parseJson(text: string): Json | undefined {
  const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
  );
  try {
    return JSON.parse(exact) as Json;
  } catch {
    return undefined;
  }
}

/** Mends the fields of an object: names in another spelling, values in another form, nulls that mean "left out". */
export function mendObject(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  mender: Mender,
  depth = 0,
): JsonObject {
  const properties = propertiesOf(schema);
  const required = new Set(requiredOf(schema));
  const entries: [string, Json][] = [];
  for (const [given, field] of Object.entries(value)) {
    const name = spelled(given, value, properties);
    const at = path === "" ? name : `${path}.${name}`;
    if (name !== given) mender.notes.push(`${given} was read as ${name}`);
    const fieldSchema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(fieldSchema)) {
      entries.push([name, field]);
    } else if (isLeftOut(field, fieldSchema, mender.root) && !required.has(name)) {
      mender.notes.push(`${at}: an empty value was left out`);
    } else {
      entries.push([name, mendValue(field, fieldSchema, at, mender, depth + 1)]);
    }
  }
  return Object.fromEntries(entries);
}

function mendValue(value: Json, given: JsonObject, path: string, mender: Mender, depth: number): Json {
  if (depth > MAX_DEPTH) return value;
  const schema = theOneAlternative(resolve(given, mender.root), mender.root);
  if (schema === undefined) return value;
  const note = (text: string): void => void mender.notes.push(`${path}: ${text}`);
  switch (schema["type"]) {
    case "integer":
    case "number":
      return toNumber(value, schema["type"] === "integer", note);
    case "boolean":
      return toBoolean(value, note);
    case "string":
      return toText(value, schema, note);
    case "array":
      return toList(value, schema, path, mender, depth);
    case "object":
      return toObject(value, schema, path, mender, depth);
    default:
      return value;
  }
}

type Note = (text: string) => void;

function toNumber(value: Json, integer: boolean, note: Note): Json {
  if (typeof value !== "string" || !/^\s*-?\d+(\.\d+)?\s*$/.test(value)) return value;
  const number = Number(value);
  if (integer ? !Number.isSafeInteger(number) : !Number.isFinite(number)) return value;
  note("a number in quotes was read as a number");
  return number;
}

function toBoolean(value: Json, note: Note): Json {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  if (word !== "true" && word !== "false") return value;
  note(`"${word}" in quotes was read as ${word}`);
  return word === "true";
}

function toText(value: Json, schema: JsonObject, note: Note): Json {
  // A whole number too large to be exact has lost digits on its way: as an id it would be another one.
  const inexact = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  if ((typeof value === "number" && !inexact) || typeof value === "boolean") {
    note(`a ${typeof value} was read as text`);
    return String(value);
  }
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === "string") {
    note("the one text was taken out of its list");
    return toText(value[0], schema, () => undefined);
  }
  const choices = schema["enum"];
  if (typeof value === "string" && Array.isArray(choices) && !choices.includes(value)) {
    const plain = value.trim().toLowerCase();
    const match = choices.filter((choice) => typeof choice === "string" && choice.toLowerCase() === plain);
    if (match.length === 1 && typeof match[0] === "string") {
      note(`"${value}" was read as "${match[0]}"`);
      return match[0];
    }
  }
  return value;
}

function toList(value: Json, schema: JsonObject, path: string, mender: Mender, depth: number): Json {
  let list = value;
  if (typeof value === "string") {
    const parsed = value.trim().startsWith("[") ? parseJson(value) : undefined;
    if (Array.isArray(parsed)) {
      mender.notes.push(`${path}: a list written as text was read as a list`);
      list = parsed as Json;
    }
  }
  if (!Array.isArray(list)) {
    if (list === null) return value;
    mender.notes.push(`${path}: a lone value was put into a list`);
    list = [list];
  }
  const items = schema["items"];
  if (!isJsonObject(items)) return list;
  return list.map((item: Json, index) => mendValue(item, items, `${path}[${index}]`, mender, depth + 1));
}

function toObject(value: Json, schema: JsonObject, path: string, mender: Mender, depth: number): Json {
  if (isJsonObject(value)) return mendObject(value, schema, path, mender, depth);
  if (typeof value !== "string" || !value.trim().startsWith("{")) return value;
  const parsed = parseJson(value);
  if (!isJsonObject(parsed)) return value;
  mender.notes.push(`${path}: an object written as text was read as an object`);
  return mendObject(parsed, schema, path, mender, depth);
}

/** The property that a name means: itself, or the only missing one that differs in case, `_` and `-` alone. */
function spelled(given: string, value: JsonObject, properties: JsonObject): string {
  if (Object.hasOwn(properties, given)) return given;
  const plain = letters(given);
  const meant = Object.keys(properties).filter(
    (name) => letters(name) === plain && !Object.hasOwn(value, name),
  );
  return meant.length === 1 && meant[0] !== undefined ? meant[0] : given;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/** True for null, or an empty text where no text is wanted: models write these for "nothing". */
function isLeftOut(value: Json, schema: JsonObject, root: JsonObject): boolean {
  if (value !== null && value !== "") return false;
  const resolved = resolve(schema, root);
  const alternatives = alternativesOf(resolved) ?? [resolved];
  const types = alternatives.map((alternative) => resolve(alternative, root)["type"]);
  const fits = value === null ? "null" : "string";
  return types.every((type) => type !== undefined && type !== fits);
}

/** The schema itself, or the only alternative that isn't null; nothing when there is a choice. */
function theOneAlternative(schema: JsonObject, root: JsonObject): JsonObject | undefined {
  const alternatives = alternativesOf(schema);
  if (alternatives === undefined) return schema;
  const real = alternatives.map((item) => resolve(item, root)).filter((item) => item["type"] !== "null");
  return real.length === 1 ? real[0] : undefined;
}

function alternativesOf(schema: JsonObject): readonly JsonObject[] | undefined {
  const list = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(list) ? list.filter(isJsonObject) : undefined;
}

function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  if (reference === "#") return root;
  const name = reference.startsWith("#/$defs/") ? reference.slice("#/$defs/".length) : undefined;
  const definitions = root["$defs"];
  if (name === undefined || !isJsonObject(definitions) || !Object.hasOwn(definitions, name)) return schema;
  const target = definitions[name];
  return isJsonObject(target) ? target : schema;
}

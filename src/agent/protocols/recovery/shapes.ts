import type { Json, JsonObject } from "../../models/types.ts";
import type { Catalogue, OfferedTool } from "./catalogue.ts";
import { isJsonList, isJsonObject } from "../../json.ts";
import { parseLoose } from "./json-parse.ts";
import { jsonExtent } from "./json-cursor.ts";

/** A call as it was found in text; whether it may run is decided later. */
export interface RawCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** What was mended in it, in words; absent when nothing was. */
  readonly mended?: readonly string[];
}

/** Where the one thing is put that a model gave instead of an object of arguments; the argument mender knows it. */
export const LONE_INPUT = "__input";

const LIST_KEYS = ["tool_calls", "function_calls", "calls", "tool_uses"];
const WRAPPER_KEYS = ["function", "function_call", "tool_call", "tool_use", "call"];
const NAME_KEYS = ["name", "tool", "tool_name", "function", "function_name", "action", "recipient_name"];
const ARGUMENT_KEYS = [
  "arguments",
  "parameters",
  "args",
  "input",
  "params",
  "kwargs",
  "tool_input",
  "action_input",
];
const OTHER_KEYS = ["id", "call_id", "tool_call_id", "type", "index", "thought", "thoughts", "reasoning"];
const CALL_KEYS = new Set([...LIST_KEYS, ...WRAPPER_KEYS, ...NAME_KEYS, ...ARGUMENT_KEYS, ...OTHER_KEYS]);
const IDENTIFIER = /^[A-Za-z_][\w.:/-]{0,127}$/;

/** Whether a key can stand in an object that is a call. */
export function isCallKey(key: string, catalogue: Catalogue): boolean {
  return CALL_KEYS.has(key) || catalogue.hasProperty(key) || catalogue.find(key) !== undefined;
}

/** Whether a text can be the name of a tool. */
export function isToolName(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** The calls that a JSON value stands for, in any of the wrappings models use; `undefined` when it is not (only) calls. */
export function callsOf(value: Json, catalogue: Catalogue): readonly RawCall[] | undefined {
  if (isJsonList(value)) return callsOfList(value, catalogue);
  if (!isJsonObject(value)) return undefined;
  for (const key of LIST_KEYS) {
    const inner = value[key];
    if (isJsonList(inner) || isJsonObject(inner)) return callsOf(inner, catalogue);
  }
  for (const key of WRAPPER_KEYS) {
    const inner = value[key];
    if (isJsonObject(inner)) return callsOf(inner, catalogue);
  }
  const call = callOf(value, catalogue);
  return call === undefined ? undefined : [call];
}

function callsOfList(list: readonly Json[], catalogue: Catalogue): readonly RawCall[] | undefined {
  const calls: RawCall[] = [];
  for (const item of list) {
    const inner = callsOf(item, catalogue);
    if (inner === undefined) return undefined;
    calls.push(...inner);
  }
  return calls.length === 0 ? undefined : calls;
}

function callOf(object: JsonObject, catalogue: Catalogue): RawCall | undefined {
  const nameKey = NAME_KEYS.find((key) => typeof object[key] === "string");
  const given = nameKey === undefined ? undefined : object[nameKey];
  if (typeof given !== "string") return keyedCall(object, catalogue);
  const name = catalogue.plainName(given);
  if (!isToolName(name)) return undefined;
  const tool = catalogue.find(name);
  const argumentsKey = ARGUMENT_KEYS.find((key) => key in object);
  const others = Object.keys(object).filter((key) => key !== nameKey && key !== argumentsKey);
  const strange = others.filter((key) => !CALL_KEYS.has(key));
  if (argumentsKey === undefined) return flatCall(object, name, tool, others);
  if (strange.length > 0 && (tool === undefined || strange.some((key) => key === "description")))
    return undefined;
  const input = object[argumentsKey] ?? null;
  if (tool === undefined && !isJsonObject(readString(input))) return undefined;
  const call = rawCall(given, input, catalogue);
  return isDefinition(call.arguments, tool) ? undefined : call;
}

/** `{"tool": "x", "city": "Paris"}`: the arguments stand beside the name. Only for a tool that was offered. */
function flatCall(
  object: JsonObject,
  name: string,
  tool: OfferedTool | undefined,
  others: readonly string[],
): RawCall | undefined {
  if (tool === undefined) return undefined;
  const rest = others.filter((key) => !OTHER_KEYS.includes(key) || Object.hasOwn(tool.properties, key));
  const args = Object.fromEntries(rest.map((key) => [key, object[key] ?? null]));
  if (rest.length > 0 && !tool.accepts(args)) return undefined;
  return { name, arguments: args };
}

/** `{"get_weather": {"city": "Paris"}}`: the name is the key. Only for a tool that was offered. */
function keyedCall(object: JsonObject, catalogue: Catalogue): RawCall | undefined {
  const [key, ...more] = Object.keys(object);
  const inner = key === undefined ? undefined : object[key];
  if (key === undefined || more.length > 0 || !isJsonObject(inner)) return undefined;
  const tool = catalogue.find(key);
  if (tool === undefined) return undefined;
  const call = rawCall(key, inner, catalogue);
  return isDefinition(call.arguments, tool) ? undefined : call;
}

/** A call in good form: the tool's plain name, arguments as an object, and what was mended to get there. */
export function rawCall(givenName: string, given: Json, catalogue: Catalogue): RawCall {
  const name = catalogue.plainName(givenName);
  const mended = name === givenName ? [] : [`${givenName} was read as ${name}`];
  const args = argumentsOf(given, name, catalogue.find(name), mended);
  return { name, arguments: args, ...(mended.length > 0 && { mended }) };
}

/**
 * The arguments as an object, whatever the model made of them: JSON in a string is read, an envelope around them is
 * taken off, nothing at all is an empty object, and a lone value is put under `LONE_INPUT`, for the mender of arguments
 * to find its place. What was mended here is added to `mended`.
 */
export function argumentsOf(
  given: Json,
  name: string,
  tool: OfferedTool | undefined,
  mended: string[] = [],
): JsonObject {
  const value = readString(given);
  if (value === null || value === "") return {};
  if (!isJsonObject(value)) return { [LONE_INPUT]: value };
  if (value !== given) mended.push("the arguments were JSON in a text");
  const inner = unwrap(value, name, tool);
  if (inner !== value) mended.push("the arguments were taken out of an envelope");
  return inner;
}

function unwrap(value: JsonObject, name: string, tool: OfferedTool | undefined): JsonObject {
  const keys = Object.keys(value);
  const isOwn = (key: string): boolean => tool !== undefined && Object.hasOwn(tool.properties, key);
  const envelope = keys.find((key) => ARGUMENT_KEYS.includes(key) && !isOwn(key));
  const others = keys.filter((key) => key !== envelope);
  const namesItself = others.every((key) => NAME_KEYS.includes(key) && !isOwn(key) && value[key] === name);
  const inner = envelope === undefined ? undefined : readString(value[envelope] ?? null);
  return tool !== undefined && namesItself && isJsonObject(inner) ? inner : value;
}

/** JSON in a string is what it holds; any other value is itself. */
function readString(value: Json): Json {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (!text.startsWith("{")) return value;
  const extent = jsonExtent(text, 0);
  const inner = extent.closed && extent.end === text.length ? parseLoose(text) : undefined;
  return isJsonObject(inner) ? inner : value;
}

/** A model that repeats a tool's definition does not call it. */
function isDefinition(args: JsonObject, tool: OfferedTool | undefined): boolean {
  if (tool !== undefined && Object.hasOwn(tool.properties, "properties")) return false;
  return args["type"] === "object" && isJsonObject(args["properties"]);
}

import { z } from "zod";
import { failed, failure, success, type Failure, type Result } from "../failure.ts";
import { isJsonObject } from "../json.ts";
import { mendObject, parseJson, propertiesOf, requiredOf, type Mender } from "./mend.ts";
import type { Json, JsonObject, ToolCall } from "../models/types.ts";
import { nearestName } from "../nearest-name.ts";
import { oncePer } from "../once-per.ts";
import { cutAtGrapheme } from "../text.ts";
import type { Tool, ToolSet } from "../tool.ts";

/** Text that a protocol could not read as JSON arrives under this name. */
const BARE_INPUT = "__input";

/** Names that models wrap the arguments in. */
const WRAPPERS = ["arguments", "parameters", "args", "params", "input"];

/** Longest message about wrong arguments that goes back to the model, in UTF-16 units. */
const MAX_EXPLANATION = 4_000;

/** A call that can be run. */
export interface CheckedCall {
  readonly tool: Tool;
  /** What the tool's schema made of the arguments. */
  readonly args: unknown;
  /** The arguments as JSON, mended, for events and history. */
  readonly shown: JsonObject;
  /** What was mended, in words; empty when nothing was. */
  readonly mended: readonly string[];
}

/**
 * Finds the tool of a call and checks its arguments, mending first what can be mended without guessing. The failures
 * `tool_unknown` and `tool_arguments` are written for the model: what is wrong, and what is expected.
 */
export function checkCall(call: ToolCall, tools: ToolSet): Result<CheckedCall> {
  const tool = tools.find(call.name);
  if (tool === undefined) return { ok: false, failure: unknownTool(call.name, tools) };
  const schema = schemaOf(tool, tools);
  const mender: Mender = { root: schema, notes: [] };
  const object = toArgumentObject(call, schema, mender);
  const input = object === undefined ? call.arguments : mendObject(object, schema, "", mender);
  const parsed = parseSafely(tool, input);
  if (!parsed.ok) return parsed;
  if (!parsed.value.success) return { ok: false, failure: wrongArguments(tool, schema, parsed.value.error) };
  const args = parsed.value.data;
  const shown = { ...withoutStrangers(input, args, mender), ...filledDefaults(input, args) };
  return success({ tool, args, shown, mended: mender.notes });
}

/** A refinement of a schema is foreign code: what it throws is a failure too. */
function parseSafely(tool: Tool, input: Json): Result<z.ZodSafeParseResult<unknown>> {
  try {
    return success(tool.parameters.safeParse(input));
  } catch (error) {
    return failed("tool_arguments", `The arguments of ${tool.name} could not be checked.`, {
      cause: String(error),
    });
  }
}

/** The arguments as one object, or nothing when they are not one and can't be made one. */
function toArgumentObject(call: ToolCall, schema: JsonObject, mender: Mender): JsonObject | undefined {
  let value: Json = call.arguments;
  if (isJsonObject(value) && Object.keys(value).length === 1) value = value[BARE_INPUT] ?? value;
  if (typeof value === "string") {
    const parsed = parseJson(value);
    if (isJsonObject(parsed) || Array.isArray(parsed)) {
      mender.notes.push("the arguments were JSON in a text");
      value = parsed;
    } else {
      value = bareText(value, schema, mender) ?? value;
    }
  }
  if (value === null) {
    mender.notes.push("no arguments were read as an empty object");
    value = {};
  }
  if (Array.isArray(value) && value.length === 1 && isJsonObject(value[0])) {
    mender.notes.push("the arguments were taken out of a list");
    value = value[0];
  }
  return isJsonObject(value) ? unwrap(value, call.name, schema, mender) : undefined;
}

/** Text that is no JSON is taken as the value of the tool's only text that matters. */
function bareText(text: string, schema: JsonObject, mender: Mender): JsonObject | undefined {
  if (text.trim() === "") return {};
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  const required = requiredOf(schema);
  const name = required.length === 1 ? required[0] : names.length === 1 ? names[0] : undefined;
  const property = name === undefined ? undefined : properties[name];
  if (name === undefined || !isJsonObject(property) || property["type"] !== "string") return undefined;
  mender.notes.push(`bare text was read as ${name}`);
  return { [name]: text.trim() };
}

/** Takes the arguments out of `{arguments: {...}}` and the like, also beside the tool's name. */
function unwrap(value: JsonObject, toolName: string, schema: JsonObject, mender: Mender): JsonObject {
  const properties = propertiesOf(schema);
  const rest = Object.keys(value).filter((key) => value[key] !== toolName || Object.hasOwn(properties, key));
  const [key] = rest;
  if (rest.length !== 1 || key === undefined || !WRAPPERS.includes(key)) return value;
  if (Object.hasOwn(properties, key)) return value;
  const field = value[key];
  const inner = typeof field === "string" ? parseJson(field) : field;
  if (!isJsonObject(inner)) return value;
  mender.notes.push(`the arguments were taken out of "${key}"`);
  return inner;
}

/** What was given without the fields that the tool does not know: its check has left them out. */
function withoutStrangers(input: Json, args: unknown, mender: Mender): JsonObject {
  if (!isJsonObject(input)) return {};
  const properties = propertiesOf(mender.root);
  const isStranger = (name: string): boolean =>
    isJsonObject(args) && !Object.hasOwn(args, name) && !Object.hasOwn(properties, name);
  const strangers = Object.keys(input).filter(isStranger);
  if (strangers.length === 0) return input;
  for (const name of strangers) mender.notes.push(`${name}: the tool knows no such field; it was left out`);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !strangers.includes(name)));
}

/** The defaults that the check filled in. They are the tool's own, and no mending. */
function filledDefaults(input: Json, args: unknown): JsonObject {
  if (!isJsonObject(args)) return {};
  const given = isJsonObject(input) ? input : {};
  const filled: [string, Json][] = [];
  for (const [name, value] of Object.entries(args)) {
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    if (Object.hasOwn(given, name) || !isPlain) continue;
    filled.push([name, value]);
  }
  return Object.fromEntries(filled);
}

const derivedSchema = oncePer(
  (tool: Tool) => z.toJSONSchema(tool.parameters, { io: "input", unrepresentable: "any" }) as JsonObject,
);

/** One made from the tool's own check, which takes more than models are told of; else what they were told. */
function schemaOf(tool: Tool, tools: ToolSet): JsonObject {
  const own = derivedSchema(tool);
  if (own["properties"] !== undefined) return own;
  return tools.schemas.find((schema) => schema.name === tool.name)?.parameters ?? own;
}

function wrongArguments(tool: Tool, schema: JsonObject, error: z.ZodError): Failure {
  const issues = error.issues.slice(0, 10).map((issue) => {
    const path = issue.path.map(String).join(".");
    return `- ${path === "" ? "the arguments" : path}: ${issue.message}`;
  });
  const text = [
    `The arguments of ${tool.name} are wrong, so it was not run:`,
    ...issues,
    `It expects an object of this JSON schema: ${JSON.stringify(schema)}`,
    "Call it again with arguments that fit.",
  ].join("\n");
  return failure("tool_arguments", cutAtGrapheme(text, MAX_EXPLANATION));
}

function unknownTool(name: string, tools: ToolSet): Failure {
  const known = tools.schemas.map((schema) => schema.name);
  const shown = cutAtGrapheme(name, 80);
  if (known.length === 0) {
    return failure("tool_unknown", `There is no tool "${shown}", and no other: answer without tools.`);
  }
  const near = nearestName(name, known);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  const list = cutAtGrapheme(known.join(", "), MAX_EXPLANATION);
  return failure("tool_unknown", `There is no tool "${shown}".${hint} The tools are: ${list}.`);
}

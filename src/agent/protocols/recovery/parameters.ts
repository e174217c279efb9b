import type { Json } from "../../models/types.ts";
import type { Catalogue, OfferedTool } from "./catalogue.ts";
import { readJsonArguments } from "./json-calls.ts";
import { isJsonList, isJsonObject } from "../../json.ts";
import { parseLoose } from "./json-parse.ts";
import { cutCall, type CallReading } from "./reading.ts";
import { isToolName } from "./shapes.ts";

const MAX_PARAMETERS = 64;
const PREFIX = String.raw`(?:[|｜]?DSML[|｜]|[a-z]{1,20}:)?`;
const NAMED_PARAMETER = new RegExp(
  String.raw`^<(${PREFIX}(?:parameter|param|argument|arg))(?:=|\s{1,8}name\s{0,8}=\s{0,8})["']?([\w.-]{1,64})["']?[^<>]{0,60}>`,
  "i",
);
const PAIRED_KEY = /^<arg_key>\s{0,20}([\w.-]{1,64})\s{0,20}<\/arg_key>\s{0,20}<(arg_value)>/;
const ELEMENT = /^<([A-Za-z_][\w-]{0,63})>/;

interface Parameter {
  readonly key: string;
  readonly value: string;
  readonly end: number;
}

/**
 * Reads the arguments of a call whose name stood in a tag: as tags of their own, or as JSON. `start` stands behind the
 * tag that names the tool.
 */
export function readParameters(text: string, start: number, name: string, catalogue: Catalogue): CallReading {
  const plain = catalogue.plainName(name);
  if (!isToolName(plain)) return undefined;
  let at = skipSpace(text, start);
  if (text.charAt(at) === "{") return readJsonArguments(text, at, plain, catalogue);
  const tool = catalogue.find(plain);
  const entries: [string, Json][] = [];
  while (entries.length < MAX_PARAMETERS) {
    const parameter = readParameter(text, at);
    if (parameter === "cut") return cutCall(plain);
    if (parameter === undefined) break;
    entries.push([parameter.key, typed(parameter.value, tool, parameter.key)]);
    at = skipSpace(text, parameter.end);
  }
  if (at < text.length && text.charAt(at) !== "<") return undefined;
  if (entries.length === 0 && at >= text.length) return cutCall(plain);
  return { kind: "calls", calls: [{ name: plain, arguments: Object.fromEntries(entries) }], end: at };
}

function readParameter(text: string, at: number): Parameter | "cut" | undefined {
  const head = text.slice(at, at + 320);
  const named = NAMED_PARAMETER.exec(head);
  if (named !== null) return parameterOf(text, at, named[0], named[2] ?? "", named[1] ?? "");
  const paired = PAIRED_KEY.exec(head);
  if (paired !== null) return parameterOf(text, at, paired[0], paired[1] ?? "", paired[2] ?? "");
  const element = ELEMENT.exec(head);
  if (element !== null) return parameterOf(text, at, element[0], element[1] ?? "", element[1] ?? "");
  return /^<(?![/|｜])[^<>]{0,200}$/.test(head) && at + head.length >= text.length ? "cut" : undefined;
}

function parameterOf(text: string, at: number, opening: string, key: string, tag: string): Parameter | "cut" {
  const from = at + opening.length;
  const close = `</${tag}>`;
  const end = text.indexOf(close, from);
  if (end >= 0) return { key, value: text.slice(from, end), end: end + close.length };
  const next = nextTag(text, from, `<${tag}`);
  return next === undefined ? "cut" : { key, value: text.slice(from, next), end: next };
}

/** A value whose closing tag is missing ends where the next one, or the end of the call, begins. */
function nextTag(text: string, from: number, sibling: string): number | undefined {
  const places = [sibling, "</function>", "</invoke>", "</tool_call>"]
    .map((mark) => text.indexOf(mark, from))
    .filter((place) => place >= 0);
  return places.length === 0 ? undefined : Math.min(...places);
}

/** A value is text where the tool takes text; elsewhere it is read as JSON, if it is some. */
function typed(raw: string, tool: OfferedTool | undefined, key: string): Json {
  const text = raw.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
  const schema = tool?.properties[key];
  if (!isJsonObject(schema) || takesText(schema)) return text;
  return parseLoose(text.trim()) ?? text;
}

function takesText(schema: { readonly [key: string]: Json }): boolean {
  const { type, anyOf, enum: choices } = schema;
  if (isJsonList(anyOf)) return anyOf.some((option) => isJsonObject(option) && takesText(option));
  if (isJsonList(choices)) return choices.some((choice) => typeof choice === "string");
  return type === undefined || type === "string" || (isJsonList(type) && type.includes("string"));
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charAt(at).trim() === "") at += 1;
  return at;
}

import type { Catalogue } from "./catalogue.ts";
import { readJsonArguments, readJsonCalls } from "./json-calls.ts";
import { readParameters } from "./parameters.ts";
import { readGemmaCalls, readPythonicCalls } from "./pythonic.ts";
import { cutCall, MAX_CALLS, type CallReading } from "./reading.ts";
import { isToolName, type RawCall } from "./shapes.ts";
import { readTag, skipTrailer } from "./tags.ts";

/** A call in the form of gpt-oss: the header up to the brace of the arguments. */
export const HARMONY_HEAD =
  /^(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>)?\s{0,8}(?:commentary|analysis)?\s{0,8}to=([\w.:-]{1,128})[^{]{0,120}?(?=\{)/;
const NAME_ELEMENT =
  /^<(name|tool_name|function_name)>\s{0,20}([\w.:/-]{1,128})\s{0,20}<\/\1>\s{0,20}(?:<(?:arguments|parameters|args|input)>)?/;
const NAME = /^[A-Za-z_][\w.:/-]{0,127}/;
const FENCE = /^\s{0,40}```[\w-]{0,20}\s{0,40}/;
const PYTHONIC = /^\[?\s{0,20}(?:print\s{0,4}\()?\s{0,20}[A-Za-z_][\w.]{0,127}\s{0,4}\(/;

/** Reads calls that begin with a tag or special token at `start`, one or several behind each other. */
export function readTaggedCalls(text: string, start: number, catalogue: Catalogue): CallReading {
  const calls: RawCall[] = [];
  let end = start;
  for (let at = start; calls.length < MAX_CALLS; at = skipTrailer(text, end).end) {
    if (at > start && !opensCall(text, at, catalogue)) break;
    const reading = readOne(text, at, catalogue);
    if (reading?.kind === "cut") return reading;
    if (reading === undefined) break;
    calls.push(...reading.calls);
    end = reading.end;
  }
  return calls.length === 0 ? undefined : { kind: "calls", calls, end };
}

/** Whether a tag that opens a call stands here. */
export function opensCall(text: string, at: number, catalogue: Catalogue): boolean {
  const tag = readTag(text, at);
  if (tag === undefined) return text.startsWith("call:", at);
  return tag.role === "open" || isToolTag(tag.name, catalogue) || HARMONY_HEAD.test(text.slice(at, at + 400));
}

function isToolTag(name: string, catalogue: Catalogue): boolean {
  return catalogue.names.includes(name);
}

function readOne(text: string, start: number, catalogue: Catalogue): CallReading {
  const harmony = HARMONY_HEAD.exec(text.slice(start, start + 400));
  if (harmony !== null) {
    const name = catalogue.plainName((harmony[1] ?? "").replace(/^functions\./, ""));
    return readJsonArguments(text, start + harmony[0].length, name, catalogue);
  }
  let at = start;
  for (let count = 0; count < 8; count += 1) {
    at = skipSpace(text, at);
    const element = NAME_ELEMENT.exec(text.slice(at, at + 300));
    if (element !== null) return readParameters(text, at + element[0].length, element[2] ?? "", catalogue);
    const tag = readTag(text, at);
    if (tag === undefined) break;
    if (tag.value !== undefined) return readParameters(text, tag.end, tag.value, catalogue);
    if (isToolTag(tag.name, catalogue)) return readParameters(text, tag.end, tag.name, catalogue);
    if (tag.role !== "open" && tag.role !== "separate") return undefined;
    at = tag.end;
  }
  return readBody(text, at, catalogue);
}

/** Reads what stands inside of a call's tags, or in a fence: JSON, Python, Gemma's form, or a name and arguments. */
export function readBody(text: string, start: number, catalogue: Catalogue): CallReading {
  const at = skipSpace(text, start + (FENCE.exec(text.slice(start, start + 120))?.[0].length ?? 0));
  if (at >= text.length) return cutCall();
  const head = text.slice(at, at + 240);
  if (PYTHONIC.test(head)) return readPythonicCalls(text, at, catalogue);
  if (head.startsWith("{") || head.startsWith("[")) return readJsonCalls(text, at, catalogue);
  if (head.startsWith("call:")) return readGemmaCalls(text, at, catalogue);
  return readNamed(text, at, catalogue);
}

/** `name{...}`, `name[ARGS]{...}`, `function<sep>name` and a fence, `name` and paired tags. */
function readNamed(text: string, start: number, catalogue: Catalogue): CallReading {
  const word = NAME.exec(text.slice(start, start + 140))?.[0];
  if (word === undefined) return undefined;
  let at = skipSeparators(text, start + word.length);
  if (word === "function") {
    const inner = NAME.exec(text.slice(at, at + 140))?.[0];
    return inner === undefined ? undefined : readNamed(text, at, catalogue);
  }
  const name = catalogue.plainName(word);
  if (!isToolName(name)) return undefined;
  const fence = FENCE.exec(text.slice(at, at + 120));
  at = skipSpace(text, at + (fence?.[0].length ?? 0));
  if (at >= text.length) return cutCall(name);
  if (text.charAt(at) === "{") return readJsonArguments(text, at, name, catalogue);
  return text.charAt(at) === "<" ? readParameters(text, at, name, catalogue) : undefined;
}

function skipSeparators(text: string, start: number): number {
  let at = skipSpace(text, start);
  for (let tag = readTag(text, at); tag?.role === "separate"; tag = readTag(text, at)) {
    at = skipSpace(text, tag.end);
    if (tag.name === "call_id") at += /^[\w-]*/.exec(text.slice(at, at + 140))?.[0].length ?? 0;
  }
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charAt(at).trim() === "") at += 1;
  return at;
}

import type { JsonObject } from "../../models/types.ts";
import type { Catalogue } from "./catalogue.ts";
import { isJsonObject } from "../../json.ts";
import { LiteralReader, type CallArguments } from "./literal.ts";
import { cutCall, MAX_CALLS, type CallReading } from "./reading.ts";
import { LONE_INPUT, type RawCall } from "./shapes.ts";

const CALL_HEAD = /^[\s,;]{0,40}(?:print\s{0,4}\()?\s{0,40}([A-Za-z_][\w.]{0,127})\s{0,4}(?=\()/;
const CALL_TAIL = /^[\s)]{0,40}/;
const GEMMA_HEAD = /^[\s,;]{0,40}call:\s{0,8}([A-Za-z_][\w.:-]{0,127})\s{0,8}(?=\{)/;

/** Reads calls as Python writes them: `[f(a="x"), g(b=1)]`, or the same without the brackets. */
export function readPythonicCalls(text: string, start: number, catalogue: Catalogue): CallReading {
  const isList = text.charAt(start) === "[";
  const reader = new LiteralReader(text, isList ? start + 1 : start);
  const calls: RawCall[] = [];
  for (;;) {
    const head = CALL_HEAD.exec(text.slice(reader.at, reader.at + 240));
    if (head === null || calls.length >= MAX_CALLS) break;
    const name = catalogue.plainName(head[1] ?? "");
    reader.at += head[0].length;
    const given = reader.callArguments();
    if (given === undefined) return reader.cut ? cutCall(name) : undefined;
    const args = namedArguments(given, name, catalogue);
    if (args === undefined) return undefined;
    calls.push({ name, arguments: args });
    if (head[0].includes("print")) reader.at += CALL_TAIL.exec(text.slice(reader.at))?.[0].length ?? 0;
  }
  if (calls.length === 0) return undefined;
  return isList ? closeList(text, reader.at, calls) : { kind: "calls", calls, end: reader.at };
}

/** Reads calls as Gemma writes them: `call:name{key:<|"|>value<|"|>}`. */
export function readGemmaCalls(text: string, start: number, catalogue: Catalogue): CallReading {
  const reader = new LiteralReader(text, start);
  const calls: RawCall[] = [];
  for (;;) {
    const head = GEMMA_HEAD.exec(text.slice(reader.at, reader.at + 240));
    if (head === null || calls.length >= MAX_CALLS) break;
    const name = catalogue.plainName(head[1] ?? "");
    reader.at += head[0].length;
    const args = reader.object();
    if (args === undefined) return reader.cut ? cutCall(name) : undefined;
    calls.push({ name, arguments: args });
  }
  return calls.length === 0 ? undefined : { kind: "calls", calls, end: reader.at };
}

function closeList(text: string, start: number, calls: readonly RawCall[]): CallReading {
  const space = /^\s{0,40}/.exec(text.slice(start, start + 40))?.[0].length ?? 0;
  const at = start + space;
  if (at >= text.length) return cutCall(calls.at(-1)?.name);
  return text.charAt(at) === "]" ? { kind: "calls", calls, end: at + 1 } : undefined;
}

/** Positional arguments get the names of the tool's arguments, in order; a lone one the mender knows where to put. */
function namedArguments(given: CallArguments, name: string, catalogue: Catalogue): JsonObject | undefined {
  const { named, positional } = given;
  if (positional.length === 0) return named;
  const [first] = positional;
  const isAlone = positional.length === 1 && Object.keys(named).length === 0;
  if (isAlone && first !== undefined) return isJsonObject(first) ? first : { [LONE_INPUT]: first };
  const properties = Object.keys(catalogue.find(name)?.properties ?? {});
  if (properties.length < positional.length) return undefined;
  return {
    ...Object.fromEntries(positional.map((value, index) => [properties[index] ?? "", value])),
    ...named,
  };
}

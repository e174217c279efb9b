import type { Catalogue } from "./recovery/catalogue.ts";
import { callsOf, isToolName, LONE_INPUT, rawCall, type RawCall } from "./recovery/shapes.ts";
import { readValue } from "./recovery/json-calls.ts";
import { isJsonObject } from "../json.ts";
import { LiteralReader } from "./recovery/literal.ts";
import { readPythonicCalls } from "./recovery/pythonic.ts";
import { isNoAction, undecorated } from "./react-sections.ts";
import type { JsonObject } from "../models/types.ts";

/** What the action of a ReAct step comes to. `named` is what was meant when it can't be used. */
export type ReactAction =
  | { readonly kind: "none" }
  | { readonly kind: "call"; readonly call: RawCall }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "cut" }
  | { readonly kind: "unreadable"; readonly named: string };

/** Names under which models "call" the end of their work. */
const ANSWER_NAMES = /^(?:final[ _]?answer|finish|answer|respond)$/i;
const INLINE_INPUT = /[\s,;]{1,8}\**action[ _]?input\**\s{0,4}:\**/i;
const BRACKETED = /^([A-Za-z_][\w.:/-]{0,127})\s{0,4}\[([\s\S]*)\]$/;
const FENCED = /^```[\w-]{0,20}\s{0,20}([\s\S]*?)\s{0,20}(?:```[\s\S]*)?$/;

/** Reads an action and its input. `input` is undefined when no `Action Input:` was written. */
export function readReactAction(
  action: string,
  input: string | undefined,
  catalogue: Catalogue,
): ReactAction {
  const inline = input === undefined ? INLINE_INPUT.exec(action.slice(0, 400)) : null;
  if (inline !== null) {
    const behind = action.slice(inline.index + inline[0].length);
    return readReactAction(action.slice(0, inline.index), behind, catalogue);
  }
  const text = unfenced(action);
  const name = catalogue.plainName(undecorated(firstLine(text)));
  if (isNoAction(name)) return { kind: "none" };
  if (ANSWER_NAMES.test(name) && catalogue.find(name) === undefined) {
    return input === undefined ? { kind: "none" } : { kind: "answer", text: unfenced(input) };
  }
  if (isToolName(name)) return withInput(name, input, catalogue);
  return readWholeAction(text, catalogue) ?? { kind: "unreadable", named: name.slice(0, 80) };
}

/** `name(x="y")`, `name[y]`, or a call in JSON, all in the action itself. */
function readWholeAction(text: string, catalogue: Catalogue): ReactAction | undefined {
  const bracketed = BRACKETED.exec(text.trim());
  if (bracketed !== null) return withInput(catalogue.plainName(bracketed[1] ?? ""), bracketed[2], catalogue);
  const trimmed = text.trim();
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) {
    const value = readValue(trimmed, 0);
    if (value?.kind === "cut") return { kind: "cut" };
    const [call] = (value === undefined ? undefined : callsOf(value.value, catalogue)) ?? [];
    return call === undefined ? undefined : { kind: "call", call };
  }
  const reading = readPythonicCalls(trimmed, 0, catalogue);
  if (reading?.kind === "cut") return { kind: "cut" };
  const call = reading?.calls[0];
  return call === undefined ? undefined : { kind: "call", call };
}

function withInput(name: string, input: string | undefined, catalogue: Catalogue): ReactAction {
  const text = unfenced(input ?? "");
  if (text === "" || /^(?:none|null|n\/a)$/i.test(text))
    return { kind: "call", call: { name, arguments: {} } };
  if (text.startsWith("{")) {
    const value = readValue(text, 0);
    if (value?.kind === "cut") return { kind: "cut" };
    if (isJsonObject(value?.value)) {
      return { kind: "call", call: rawCall(name, value.value, catalogue) };
    }
  }
  const named = keywordArguments(text, name, catalogue);
  return { kind: "call", call: { name, arguments: named ?? { [LONE_INPUT]: unquoted(text) } } };
}

/** `city="Paris", units="C"`, when these are arguments of the tool. */
function keywordArguments(text: string, name: string, catalogue: Catalogue): JsonObject | undefined {
  const key = /^(\w{1,64})\s{0,4}=/.exec(text)?.[1];
  const properties = catalogue.find(name)?.properties;
  if (key === undefined || properties === undefined || !Object.hasOwn(properties, key)) return undefined;
  const given = new LiteralReader(`(${text})`, 0).callArguments();
  return given === undefined || given.positional.length > 0 ? undefined : given.named;
}

function unfenced(text: string): string {
  const trimmed = text.trim().replace(/^\*\*\s*/, "");
  const fenced = FENCED.exec(trimmed);
  if (fenced !== null) return (fenced[1] ?? "").trim();
  const isCode = trimmed.length > 1 && trimmed.startsWith("`") && trimmed.endsWith("`");
  return isCode ? trimmed.slice(1, -1).trim() : trimmed;
}

function unquoted(text: string): string {
  const quote = text.charAt(0);
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isQuoted && !text.slice(1, -1).includes(quote) ? text.slice(1, -1) : text;
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0] ?? "";
}

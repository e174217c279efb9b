import { isJsonObject } from "../../../agent/json.ts";
import type { Json, JsonObject } from "../../../agent/models/types.ts";
import { ATTRIBUTES as A, OPERATIONS } from "../../export/otlp/names.ts";
import type { Attributes, SpanEvent } from "./attributes.ts";
import { json, text } from "./values.ts";

/*
 * Instruments that are older than the conventions, or beside them, tell the same by other names: what was said in events
 * of the span, what a span is by a kind of their own. Here it is put into the words of the conventions; what a span says
 * in those already is left alone.
 */

/** Messages that other names give, at most. */
const MAX_MESSAGES = 2_000;

/** Events whose attributes belong to the span itself. */
const DETAILS: ReadonlySet<string> = new Set([
  "gen_ai.client.inference.operation.details",
  "gen_ai.content.prompt",
  "gen_ai.content.completion",
]);
const MESSAGE = /^gen_ai\.(system|user|assistant|tool)\.message$/;
const CHOICE = "gen_ai.choice";

/** What others call what a span is; the first attribute that is there says it. */
const KINDS: readonly string[] = ["openinference.span.kind", "traceloop.span.kind", "llm.request.type"];
const OPERATION_OF: Readonly<Record<string, string>> = {
  llm: OPERATIONS.chat,
  chat: OPERATIONS.chat,
  completion: OPERATIONS.chat,
  tool: OPERATIONS.tool,
  agent: OPERATIONS.agent,
};

/** Names of the conventions, and what others call the same. */
const NAMES: readonly (readonly [name: string, ...others: readonly string[]])[] = [
  [A.model, "llm.model_name", "llm.request.model"],
  [A.inputTokens, "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "llm.usage.prompt_tokens"],
  [
    A.outputTokens,
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "llm.usage.completion_tokens",
  ],
  [A.conversation, "session.id", "traceloop.association.properties.session_id"],
  [A.inputMessages, "gen_ai.prompt"],
  [A.outputMessages, "gen_ai.completion"],
];
const INPUTS: readonly string[] = ["input.value", "traceloop.entity.input"];
const OUTPUTS: readonly string[] = ["output.value", "traceloop.entity.output"];

/** A span's attributes and events in the words of the conventions, whatever wrote them. */
export function inConventions(
  given: Attributes,
  events: readonly SpanEvent[],
): { readonly attributes: Attributes; readonly events: readonly SpanEvent[] } {
  const attributes = new Map(given);
  const kept = events.filter((event) => !takeDetails(event, attributes));
  const rest = takeMessages(kept, attributes);
  for (const [name, ...others] of NAMES) setFirst(attributes, name, others);
  const kind = KINDS.map((name) => text(attributes, name)?.toLowerCase()).find((one) => one !== undefined);
  const operation = kind !== undefined && Object.hasOwn(OPERATION_OF, kind) ? OPERATION_OF[kind] : undefined;
  if (operation !== undefined) takeKind(attributes, operation);
  return { attributes, events: rest };
}

function set(attributes: Map<string, Json>, name: string, value: Json | undefined): void {
  if (value !== undefined && !attributes.has(name)) attributes.set(name, value);
}

function setFirst(attributes: Map<string, Json>, name: string, others: readonly string[]): void {
  const other = others.find((one) => attributes.has(one));
  if (other !== undefined) set(attributes, name, attributes.get(other));
}

function takeDetails({ name, attributes }: SpanEvent, into: Map<string, Json>): boolean {
  if (!DETAILS.has(name)) return false;
  for (const [key, value] of attributes) set(into, key, value);
  return true;
}

/** Messages that stand in events, one each; gives the events that are none. */
function takeMessages(events: readonly SpanEvent[], into: Map<string, Json>): readonly SpanEvent[] {
  const [given, said]: [JsonObject[], JsonObject[]] = [[], []];
  const rest = events.filter(({ name, attributes }) => {
    const role = MESSAGE.exec(name)?.[1];
    if (role === undefined && name !== CHOICE) return true;
    const list = role === undefined ? said : given;
    if (list.length < MAX_MESSAGES) list.push(messageOf(role ?? "assistant", attributes));
    return false;
  });
  if (given.length > 0) set(into, A.inputMessages, given);
  if (said.length > 0) set(into, A.outputMessages, said);
  return rest;
}

function messageOf(role: string, attributes: Attributes): JsonObject {
  const told = json(attributes, "message");
  const message = isJsonObject(told) ? told : {};
  const content = message["content"] ?? attributes.get("content") ?? "";
  const id = attributes.get("id");
  return { role, content, ...(typeof id === "string" ? { id } : {}) };
}

/** What a span is by a kind of its own, with what such spans call what went in and what came out. */
function takeKind(attributes: Map<string, Json>, operation: string): void {
  set(attributes, A.operation, operation);
  const [input, output] = [INPUTS, OUTPUTS].map((names) =>
    names.map((name) => attributes.get(name)).find((value) => value !== undefined),
  );
  if (operation === OPERATIONS.tool) {
    setFirst(attributes, A.tool, ["tool.name", "traceloop.entity.name"]);
    set(attributes, A.callArguments, input);
    set(attributes, A.callResult, output);
    return;
  }
  if (operation === OPERATIONS.agent) setFirst(attributes, A.agent, ["agent.name", "traceloop.entity.name"]);
  takeTexts(attributes, {
    name: A.inputMessages,
    numbered: "llm.input_messages",
    role: "user",
    whole: input,
  });
  takeTexts(attributes, {
    name: A.outputMessages,
    numbered: "llm.output_messages",
    role: "assistant",
    whole: output,
  });
}

interface Texts {
  readonly name: string;
  readonly numbered: string;
  readonly role: string;
  /** All of it in one, where it is not told message by message. */
  readonly whole: Json | undefined;
}

/** `llm.input_messages.0.message.content` and so on, else one text. */
function takeTexts(attributes: Map<string, Json>, { name, numbered, role, whole }: Texts): void {
  const isTold = attributes.has(name) || attributes.has("gen_ai.prompt.0.content");
  if (isTold) return;
  const messages: JsonObject[] = [];
  for (let at = 0; at < MAX_MESSAGES; at += 1) {
    const content = text(attributes, `${numbered}.${at}.message.content`);
    const said = text(attributes, `${numbered}.${at}.message.role`);
    if (content === undefined && said === undefined) break;
    messages.push({ role: said ?? role, content: content ?? "" });
  }
  if (messages.length === 0 && typeof whole === "string") messages.push({ role, content: whole });
  if (messages.length > 0) set(attributes, name, messages);
}

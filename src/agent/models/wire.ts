import { toldTool } from "../told-schema.ts";
import type { ChatRequest as WireRequest, Message, Tool } from "ollama";
import { isJsonObject } from "../json.ts";
import { oncePer } from "../once-per.ts";
import { wellFormed } from "../text.ts";
import type {
  ChatMessage,
  ChatRequest,
  Json,
  JsonObject,
  ModelInfo,
  RunnerOptions,
  Think,
  ToolCall,
  ToolSchema,
} from "./types.ts";

/** A message as Ollama takes it; `tool_call_id` and call ids are newer than the package's types. */
export interface WireMessage extends Omit<Message, "tool_calls"> {
  tool_call_id?: string;
  tool_calls?: { id?: string; function: { name: string; arguments: JsonObject } }[];
}

/** What is sent to `/api/chat`. */
export interface WireBody extends Omit<WireRequest, "messages" | "think"> {
  messages: WireMessage[];
  think?: boolean | "low" | "medium" | "high";
  /** False: an input that is too long is an error, not cut silently. */
  truncate: boolean;
  /** False: the server never drops the beginning of the conversation while it generates. */
  shift: boolean;
}

/** Families whose thinking has levels and can't be turned off. */
const LEVEL_FAMILIES = /^gpt-?oss/i;

/**
 * Puts a request in Ollama's form. `info` is absent when the server could not say what the model can: then `think`
 * is only sent when it was asked for, and the server's error has the last word.
 */
export function toWire(model: string, request: ChatRequest, info: ModelInfo | undefined): WireBody {
  return wireBody(request, toEnvelope(model, request, info));
}

/** What is sent beside messages, tools and format. */
export type WireEnvelope = Omit<WireBody, "messages" | "tools" | "format">;

/** The body of a request, its parts in the order in which they are sent. */
export function wireBody<Envelope extends { readonly model: string }>(
  { messages, tools, format }: Pick<ChatRequest, "messages" | "tools" | "format">,
  { model, ...rest }: Envelope,
) {
  return {
    model,
    messages: messages.map(toWireMessage),
    ...(tools && tools.length > 0 && { tools: tools.map(toWireTool) }),
    ...(format && { format }),
    ...rest,
  };
}

/** What a request is sent with beside its messages, tools and format. */
export function toEnvelope(
  model: string,
  request: Omit<ChatRequest, "messages" | "tools" | "format">,
  info: ModelInfo | undefined,
): WireEnvelope {
  const think = toThink(request.think ?? false, model, info);
  const runner = toWireRunner(request.runner);
  return {
    model,
    ...(think !== undefined && { think }),
    options: {
      ...runner.options,
      num_predict: request.maxTokens,
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.topP !== undefined && { top_p: request.topP }),
      ...(request.seed !== undefined && { seed: request.seed }),
      ...(request.stop && request.stop.length > 0 && { stop: [...request.stop] }),
    },
    keep_alive: runner.keep_alive,
    ...(request.topLogprobs !== undefined && { logprobs: true, top_logprobs: request.topLogprobs }),
    stream: true,
    truncate: false,
    shift: false,
  };
}

/** `think` left out means "on" to Ollama, and "on" is an error for a model that can't think. */
function toThink(think: Think, model: string, info: ModelInfo | undefined): WireBody["think"] {
  if (info === undefined) return think === false ? undefined : toLevel(think, model, undefined);
  if (!info.capabilities.includes("thinking")) return undefined;
  return toLevel(think, model, info.family);
}

function toLevel(
  think: Think,
  model: string,
  family: string | undefined,
): boolean | "low" | "medium" | "high" {
  const hasLevels = LEVEL_FAMILIES.test(family ?? model.split("/").at(-1) ?? model);
  if (!hasLevels) return think !== false;
  if (think === false) return "low";
  if (think === true) return "medium";
  return think === "max" ? "high" : think;
}

/**
 * The options that load a model, for every kind of request. A bare number as keep-alive is seconds to Ollama, but only
 * as a number: as a text it lacks a unit and is refused.
 */
export function toWireRunner({ contextLength, keepAlive }: RunnerOptions): {
  readonly options: { readonly num_ctx: number };
  readonly keep_alive: string | number;
} {
  const isNumber = typeof keepAlive === "string" && /^-?\d+$/.test(keepAlive.trim());
  return { options: { num_ctx: contextLength }, keep_alive: isNumber ? Number(keepAlive) : keepAlive };
}

function toWireTool(tool: ToolSchema): Tool {
  // The package's type is narrower than JSON schema, which the server takes.
  const parameters = toldTool(tool).parameters as NonNullable<Tool["function"]["parameters"]>;
  return { type: "function", function: { name: tool.name, description: tool.description, parameters } };
}

/** Puts one message in Ollama's form. */
export function toWireMessage(message: ChatMessage): WireMessage {
  const { content } = message;
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content };
    case "tool":
      return { role: "tool", content, tool_name: message.toolName, tool_call_id: message.toolCallId };
    case "assistant":
      return {
        role: "assistant",
        content,
        ...(message.thinking && { thinking: message.thinking }),
        ...(message.toolCalls &&
          message.toolCalls.length > 0 && { tool_calls: message.toolCalls.map(toWireCall) }),
      };
  }
}

function toWireCall(call: ToolCall): { id?: string; function: { name: string; arguments: JsonObject } } {
  return {
    ...(call.id !== "" && { id: call.id }),
    function: { name: call.name, arguments: toArguments(call.arguments) },
  };
}

/**
 * Arguments always go back as an object: anything else in the history makes the server fail at every later request.
 * An object in quotes is unpacked; what is no object at all is left out, its tool result says what was wrong with it.
 */
function toArguments(value: Json): JsonObject {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string") return {};
  try {
    const parsed = JSON.parse(value) as Json;
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** The JSON of messages and tools, also of lists of tools: they are sent again with every request, and never change. */
/** One message as it stands in a request. */
export const writeMessage = oncePer((message: ChatMessage): string => wireJson(toWireMessage(message)));
const writeTool = oncePer((tool: ToolSchema): string => wireJson(toWireTool(tool)));
const writeTools = oncePer((tools: readonly ToolSchema[]): string => tools.map(writeTool).join(","));

/** The newest request of a conversation, and the JSON of the messages that it began with like the one before it. */
interface Begun {
  readonly messages: readonly ChatMessage[];
  readonly shared: number;
  /** Each message with a comma behind it. */
  readonly json: string;
}

/** By the first message behind that of the system: the requests of a conversation have that in common. */
const begun = new WeakMap<ChatMessage, Begun>();

/** Messages in JSON, with commas between them: only what a request adds to the one before it is put together anew. */
function writeMessages(messages: readonly ChatMessage[]): string {
  const first = messages[1] ?? messages[0];
  if (first === undefined) return "";
  const before = begun.get(first);
  const most = messages.length - 1;
  const shared = Math.min(most, before === undefined ? 0 : sharedStart(before.messages, messages));
  const known = before !== undefined && before.shared <= shared ? before : { shared: 0, json: "" };
  const more = messages.slice(known.shared, shared).map((message) => `${writeMessage(message)},`);
  const json = known.json + more.join("");
  begun.set(first, { messages, shared, json });
  const added = messages.slice(shared).map(writeMessage);
  return json + added.join(",");
}

/** How many messages two requests begin with that are the same objects. */
export function sharedStart(one: readonly ChatMessage[], other: readonly ChatMessage[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count += 1;
  return count;
}

/** The JSON of `wireBody`, byte for byte; only what is new in a request is put in words. */
export function wireText(
  { messages, tools = [], format }: Pick<ChatRequest, "messages" | "tools" | "format">,
  { model, ...rest }: WireEnvelope,
): string {
  const offered = tools.length === 0 ? "" : `,"tools":[${writeTools(tools)}]`;
  const form = format === undefined ? "" : `,"format":${wireJson(format)}`;
  const sent = `"model":${wireJson(model)},"messages":[${writeMessages(messages)}]`;
  return `{${sent}${offered}${form},${wireJson(rest).slice(1)}`;
}

/** JSON without half characters, which some readers refuse: whatever models, tools and users wrote. */
export function wireJson(body: object | string): string {
  const text = JSON.stringify(body);
  if (!text.includes("\\ud")) return text;
  return JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value === "string") return wellFormed(value);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [wellFormed(name), field]));
  });
}

/** A rough size of a request in tokens (four characters each), for messages only. */
export function estimateTokens(body: WireBody): number {
  const parts = [
    ...body.messages.map((message) => message.content.length),
    JSON.stringify(body.tools ?? "").length,
  ];
  return Math.ceil(parts.reduce((sum, length) => sum + length, 0) / 4);
}

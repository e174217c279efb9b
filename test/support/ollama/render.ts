import { goJson, sortedKeys } from "./go-json.ts";
import { isObject } from "./json.ts";
import type { KnownModel } from "./models.ts";
import type { ChatBody, WireMessage, WireTool } from "./types.ts";

/** Bytes of text that count as one token. */
const BYTES_A_TOKEN = 4;

/** A rough count of tokens: what the scripted server reports and bounds the context by. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
}

/** Whether the model thinks on this request: `think` left out on a model that can means yes. */
export function thinks(model: KnownModel, body: ChatBody): boolean {
  return model.capabilities.includes("thinking") && body.think !== false;
}

/**
 * The prompt as the real server renders it: with `scripts/models/Modelfile.full` for a model that can do more than
 * complete, else with the plain ChatML that it finds for a bare model file.
 */
export function renderPrompt(model: KnownModel, body: ChatBody): string {
  const messages = merged(body.messages);
  const rich = model.capabilities.includes("tools") || model.capabilities.includes("thinking");
  const parts = rich ? richParts(messages, body.tools) : messages.map(plainMessage);
  const opening = rich && thinks(model, body) ? "<think>\n" : "";
  const last = messages.at(-1)?.role === "assistant" ? "" : `<|im_start|>assistant\n${opening}`;
  return parts.join("") + last;
}

/** Neighbours of one role become one message: their texts are joined, the second's thinking and calls are lost. */
function merged(messages: readonly WireMessage[]): readonly WireMessage[] {
  const out: WireMessage[] = [];
  for (const original of messages) {
    const message = { ...original, role: original.role.toLowerCase() };
    const before = out.at(-1);
    if (before?.role === message.role && message.role !== "tool") {
      out[out.length - 1] = { ...before, content: `${before.content}\n\n${message.content}` };
    } else out.push(message);
  }
  return out;
}

function richParts(messages: readonly WireMessage[], tools: readonly WireTool[]): readonly string[] {
  const system = messages.filter((message) => message.role === "system").map((message) => message.content);
  const head = system.length === 0 && tools.length === 0 ? [] : [systemPart(system.join("\n\n"), tools)];
  return [...head, ...messages.map(richMessage)];
}

function systemPart(content: string, tools: readonly WireTool[]): string {
  const listed = tools.map((tool) => `\n${goJson(keptTool(tool))}`).join("");
  const rule =
    'To call a tool, answer with {"name": its name, "arguments": an object} and nothing else. Tools:';
  return `<|im_start|>system\n${content}${tools.length === 0 ? "" : `\n\n${rule}${listed}`}<|im_end|>\n`;
}

function richMessage(message: WireMessage): string {
  switch (message.role) {
    case "user":
      return `<|im_start|>user\n${message.content}<|im_end|>\n`;
    case "assistant":
      return `<|im_start|>assistant\n${assistantText(message)}<|im_end|>\n`;
    case "tool":
      return `<|im_start|>user\n${message.tool_name ?? ""} returned: ${message.content}<|im_end|>\n`;
    default:
      return "";
  }
}

function plainMessage(message: WireMessage): string {
  return `<|im_start|>${message.role}\n${message.content}<|im_end|>\n`;
}

function assistantText(message: WireMessage): string {
  const thought = message.thinking ? `<think>\n${message.thinking}\n</think>\n` : "";
  const calls = (message.tool_calls ?? []).map(
    ({ function: { name, arguments: args } }) =>
      `{"name": "${name}", "arguments": ${goJson(sortedKeys(args ?? {}))}}`,
  );
  return `${thought}${message.content}${calls.join("")}`;
}

/** A tool as the real server keeps it: keywords of JSON schema that it does not know are gone. */
export function keptTool(tool: WireTool): unknown {
  const { name, description = "", parameters = {} } = tool.function;
  return {
    name,
    description,
    parameters: {
      type: parameters["type"] ?? "",
      ...kept(parameters, ["$defs", "items", "required"]),
      properties: keptProperties(parameters["properties"]),
    },
  };
}

const KEPT_IN_PROPERTY = ["anyOf", "type", "items", "description", "enum", "properties"];

function keptProperties(properties: unknown): unknown {
  if (!isObject(properties)) return null;
  const names = Object.keys(properties).sort();
  return Object.fromEntries(names.map((name) => [name, keptProperty(properties[name])]));
}

function keptProperty(schema: unknown): unknown {
  return isObject(schema) ? kept(schema, KEPT_IN_PROPERTY) : {};
}

function kept(schema: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const key of keys) {
    const value = schema[key];
    if (value !== undefined) out[key] = keptValue(key, value);
  }
  return out;
}

function keptValue(key: string, value: unknown): unknown {
  if (key === "properties") return keptProperties(value);
  if (key === "anyOf" && Array.isArray(value)) return (value as readonly unknown[]).map(keptProperty);
  return sortedKeys(value);
}

import { isJsonObject } from "../../agent/json.ts";
import type { ChatMessage, Json, ToolCall, ToolSchema } from "../../agent/models/types.ts";

/*
 * Logs are untrusted: of a message only role and content are checked on reading, of a tool only its name. Here the rest
 * is made what its type says; what is sound already stays the very same object.
 */

/** Messages whose every field has the type that it should have. */
export function soundMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.every(isSound) ? messages : messages.map(sound);
}

/** Tools whose every field has the type that it should have. */
export function soundTools(tools: readonly ToolSchema[]): readonly ToolSchema[] {
  return tools.every(isSoundTool) ? tools : tools.map(soundTool);
}

type Loose = { readonly [field: string]: unknown };

function isSound(message: ChatMessage): boolean {
  const { thinking, toolCalls, toolName, toolCallId } = message as unknown as Loose;
  if (message.role === "tool") return typeof toolName === "string" && typeof toolCallId === "string";
  if (message.role !== "assistant") return true;
  const callsAreSound = toolCalls === undefined || (Array.isArray(toolCalls) && toolCalls.every(isCall));
  return callsAreSound && (thinking === undefined || typeof thinking === "string");
}

function isCall(call: unknown): boolean {
  return (
    isJsonObject(call) &&
    typeof call["id"] === "string" &&
    typeof call["name"] === "string" &&
    "arguments" in call
  );
}

function sound(message: ChatMessage): ChatMessage {
  if (isSound(message)) return message;
  const { thinking, toolCalls, toolName, toolCallId } = message as unknown as Loose;
  const { content } = message;
  if (message.role === "tool")
    return { role: "tool", content, toolName: textOr(toolName), toolCallId: textOr(toolCallId) };
  const calls = Array.isArray(toolCalls) ? toolCalls.filter(isJsonObject).map(soundCall) : [];
  return {
    role: "assistant",
    content,
    ...(typeof thinking === "string" && { thinking }),
    ...(calls.length > 0 && { toolCalls: calls }),
  };
}

function soundCall(call: Loose): ToolCall {
  return {
    id: textOr(call["id"]),
    name: textOr(call["name"]),
    arguments: (call["arguments"] ?? {}) as Json,
  };
}

function isSoundTool(tool: ToolSchema): boolean {
  const { description, parameters } = tool as unknown as Loose;
  return typeof description === "string" && isJsonObject(parameters);
}

function soundTool(tool: ToolSchema): ToolSchema {
  const { description, parameters } = tool as unknown as Loose;
  return {
    name: tool.name,
    description: textOr(description),
    parameters: isJsonObject(parameters) ? parameters : {},
  };
}

function textOr(value: unknown): string {
  return typeof value === "string" ? value : "";
}

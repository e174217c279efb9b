import type { ChatMessage, ToolCall } from "../../../agent/models/types.ts";

/*
 * Messages as the GenAI conventions write them into `gen_ai.input.messages` and `gen_ai.output.messages`: a list of
 * roles with parts, as JSON in a string.
 */
type Part = { readonly type: string } & Readonly<Record<string, unknown>>;

function textParts(content: string): readonly Part[] {
  return content === "" ? [] : [{ type: "text", content }];
}

function callPart({ id, name, arguments: given }: ToolCall): Part {
  return { type: "tool_call", id, name, arguments: given };
}

function partsOf(message: ChatMessage): readonly Part[] {
  if (message.role === "tool")
    return [{ type: "tool_call_response", id: message.toolCallId, response: message.content }];
  if (message.role !== "assistant") return textParts(message.content);
  return [
    ...(message.thinking === undefined || message.thinking === ""
      ? []
      : [{ type: "reasoning", content: message.thinking }]),
    ...textParts(message.content),
    ...(Array.isArray(message.toolCalls) ? message.toolCalls : []).map(callPart),
  ];
}

/** What a model was given. */
export function inputMessages(messages: readonly ChatMessage[]): string {
  return JSON.stringify(messages.map((message) => ({ role: message.role, parts: partsOf(message) })));
}

/** What a model gave. */
export function outputMessages(given: {
  readonly content: string;
  readonly thinking?: string;
  readonly calls?: readonly ToolCall[];
  readonly finishReason?: string;
}): string {
  const { content, thinking, calls, finishReason } = given;
  const parts = partsOf({
    role: "assistant",
    content,
    ...(thinking !== undefined && { thinking }),
    ...(calls !== undefined && { toolCalls: calls }),
  });
  return JSON.stringify([{ role: "assistant", parts, finish_reason: finishReason ?? "stop" }]);
}

import { madeOf } from "../message-parts.ts";
import type { ChatMessage, JsonObject, ToolSchema } from "../models/types.ts";
import { argumentsOf } from "./recovery/shapes.ts";
import { lastThought, resultText, toolList } from "./tool-text.ts";

/**
 * What the model is told of the form it is held to: servers don't show it the schema. Answers come first, and there is
 * no example: a small model says its words again (docs/evidence.md).
 */
export function constrainedInstructions(schemas: readonly ToolSchema[]): string {
  return (
    "Every message you write is one JSON object and nothing else, in one of two forms.\n" +
    'To answer: {"thought": "...", "answer": "..."}. The user reads the text of "answer" only; it may be Markdown.\n' +
    'To call a tool: {"thought": "...", "tool": "NAME", "arguments": {...}}. Its result comes in the next message.\n' +
    '"thought" is one short sentence. Answer where you can; call a tool only when you need what it gives.\n' +
    `Tools:\n${toolList(schemas)}`
  );
}

/** A message as a model under this protocol sees it: its own steps in the form it is held to, results as the user's. */
export function constrainedMessage(message: ChatMessage): readonly ChatMessage[] {
  if (message.role === "tool") {
    return [madeOf("user", "result", resultText(message.toolName, message.content))];
  }
  if (message.role !== "assistant") return [message];
  const { content, thinking, toolCalls = [] } = message;
  const last = lastThought(thinking);
  const thought: JsonObject = last === undefined ? {} : { thought: last };
  if (toolCalls.length === 0) {
    return [{ role: "assistant", content: JSON.stringify({ ...thought, answer: content }) }];
  }
  const said = last === undefined && content !== "" ? { thought: content } : thought;
  const objects = toolCalls.map((call, index) => ({
    ...(index === 0 ? said : {}),
    tool: call.name,
    arguments: argumentsOf(call.arguments, call.name, undefined),
  }));
  return [{ role: "assistant", content: objects.map((object) => JSON.stringify(object)).join("\n") }];
}

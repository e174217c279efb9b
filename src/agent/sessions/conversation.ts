import type { AssistantMessage, ChatMessage, Json, ToolCall } from "../models/types.ts";
import { isJsonObject } from "../json.ts";
import { wellFormed } from "../text.ts";

type ToolMessage = Extract<ChatMessage, { role: "tool" }>;

/**
 * Messages as a later request may carry them, whatever they were: no thinking, arguments that are objects, every tool
 * message right behind the assistant message whose call it answers, and no call without its result. What does not fit
 * is left out; system messages are too. What is as it should be stays the very same object, with what is kept of it: its
 * size, its JSON.
 */
export function validHistory(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const valid: ChatMessage[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined || message.role === "system" || message.role === "tool") continue;
    if (message.role === "user") {
      valid.push(isPlain(message) ? message : { role: "user", content: wellFormed(message.content) });
      continue;
    }
    const results: ToolMessage[] = [];
    for (let next = messages[at + 1]; next?.role === "tool"; next = messages[at + 1]) {
      results.push(next);
      at += 1;
    }
    valid.push(...answeredCalls(message, results));
  }
  return valid;
}

/** Whether a message has a role and a well-formed text, and nothing else. */
function isPlain(message: ChatMessage): boolean {
  return Object.keys(message).length === 2 && message.content.isWellFormed();
}

function answeredCalls(message: AssistantMessage, results: readonly ToolMessage[]): readonly ChatMessage[] {
  if (message.content !== "" && isPlain(message)) return [message];
  const content = wellFormed(message.content);
  const byId = new Map(results.map((result) => [result.toolCallId, result]));
  const calls: ToolCall[] = [];
  const answers: ChatMessage[] = [];
  for (const call of message.toolCalls ?? []) {
    const result = byId.get(call.id);
    if (result === undefined) continue;
    byId.delete(call.id);
    calls.push({ id: call.id, name: call.name, arguments: objectArguments(call.arguments) });
    answers.push({ ...result, content: wellFormed(result.content) });
  }
  if (calls.length === 0) return content === "" ? [] : [{ role: "assistant", content }];
  return [{ role: "assistant", content, toolCalls: calls }, ...answers];
}

/** Arguments that no server fails on: an object, whatever the model wrote. */
function objectArguments(value: Json): Json {
  return isJsonObject(value) ? value : {};
}

/** Splits a list of messages into turns, each beginning with a user message; what stands before the first is its own. */
export function splitTurns(messages: readonly ChatMessage[]): readonly (readonly ChatMessage[])[] {
  const turns: ChatMessage[][] = [];
  for (const message of messages) {
    const current = turns.at(-1);
    if (current === undefined || message.role === "user") turns.push([message]);
    else current.push(message);
  }
  return turns;
}

import { madeOf } from "../message-parts.ts";
import type { AssistantMessage, ChatMessage, ToolCall } from "../models/types.ts";
import type { CallResult } from "../protocol.ts";
import { wellFormed } from "../text.ts";

/** What the model is told when it may call no more tools. */
const LAST_STEP_NOTE =
  "No more tools can be called in this turn. Answer the question now with what you have; say plainly what is missing.";

/**
 * The message that is kept of a step, in the one form that all protocols share: calls as `toolCalls`, so that a turn
 * can go on under another protocol. Arguments are objects, whatever the model wrote: servers fail on anything else.
 */
export function keptMessage(content: string, thinking: string, calls: readonly ToolCall[]): AssistantMessage {
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
  return {
    role: "assistant",
    content: wellFormed(content),
    ...(thinking === "" ? {} : { thinking: wellFormed(thinking) }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

/** Results as tool messages, in call order. */
export function toolMessages(results: readonly CallResult[]): readonly ChatMessage[] {
  return results.map(({ call, content }) => ({
    role: "tool",
    toolName: call.name,
    toolCallId: call.id,
    content,
  }));
}

/** The words of a correction as a message of the user's side: no template drops that one. */
export function correctionMessages(broken: string): readonly ChatMessage[] {
  return [madeOf("user", "note", broken)];
}

/** Adds the note of the last step behind everything else, where it can't disturb the cached prefix. */
export function withLastStepNote(
  messages: readonly ChatMessage[],
  lastStep: boolean,
): readonly ChatMessage[] {
  return lastStep ? [...messages, madeOf("user", "note", LAST_STEP_NOTE)] : messages;
}

import { cutAtGrapheme } from "../text.ts";
import type { ChatMessage } from "../models/types.ts";

/** What is kept of a result that was trimmed, in UTF-16 units. */
const KEPT = 200;

/** Results up to this length are left as they are: the line that says so would take as much. */
const SHORT = 400;

const trimmed = new WeakMap<ChatMessage, ChatMessage>();

/**
 * A tool's result cut to its beginning, with a line that says so; any other message as it is. The same message always
 * gives the same one, so that prompts stay alike byte for byte.
 */
export function trimResult(message: ChatMessage): ChatMessage {
  if (message.role !== "tool" || message.content.length <= SHORT) return message;
  let shorter = trimmed.get(message);
  if (shorter === undefined) {
    const kept = cutAtGrapheme(message.content, KEPT);
    const note = `[trimmed: ${kept.length} of ${message.content.length} characters of this earlier result are left, for want of room; call ${message.toolName} again if you need it]`;
    shorter = { ...message, content: `${kept}\n${note}` };
    trimmed.set(message, shorter);
    trimmed.set(shorter, shorter);
  }
  return shorter;
}

/** A turn's messages with every long result trimmed; the very same list where there was nothing to trim. */
export function trimTurn(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const shorter = messages.map(trimResult);
  return shorter.some((message, index) => message !== messages[index]) ? shorter : messages;
}

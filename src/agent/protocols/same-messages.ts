import type { ChatMessage } from "../models/types.ts";

/**
 * A way to put a message, that gives the very same messages for the same one: each request of a turn then repeats the
 * one before it object by object, so that its size is not estimated anew and the log holds only what it adds.
 */
export function putOnce(
  put: (message: ChatMessage) => readonly ChatMessage[],
): (message: ChatMessage) => readonly ChatMessage[] {
  const known = new WeakMap<ChatMessage, readonly ChatMessage[]>();
  return (message) => {
    let shown = known.get(message);
    if (shown === undefined) {
      shown = put(message);
      known.set(message, shown);
    }
    return shown;
  };
}

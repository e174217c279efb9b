import { madeOf } from "../message-parts.ts";
import type { ChatMessage } from "../models/types.ts";
import { oncePer } from "../once-per.ts";
import type { ProtocolAdapter } from "../protocol.ts";
import { correctionMessages, toolMessages } from "./messages.ts";
import { PlainReader } from "./plain-reader.ts";
import { resultText } from "./tool-text.ts";

/** What a model that knows no tools can read of a message: calls are left out, results become plain text. */
function withoutTools(message: ChatMessage): readonly ChatMessage[] {
  if (message.role === "tool") {
    return [madeOf("user", "result", resultText(message.toolName, message.content))];
  }
  if (message.role !== "assistant" || message.toolCalls === undefined) return [message];
  return message.content === "" ? [] : [{ role: "assistant", content: message.content }];
}

/** Each request of a turn repeats the one before it object by object: the log then holds only what it adds. */
const putMessage = oncePer(withoutTools);

/** No tools at all: the text of the model is its answer. */
export const noneProtocol: ProtocolAdapter = {
  name: "none",
  prepare: (messages) => ({ messages: messages.flatMap(putMessage) }),
  reader: () => new PlainReader(),
  results: toolMessages,
  correction: correctionMessages,
};

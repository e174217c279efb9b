import type { TurnEvent } from "../../agent/events.ts";
import type { ChatMessage } from "../../agent/models/types.ts";

/**
 * What a turn hands on to the questions below it: its messages without thinking, or its question and answer where the
 * log has no more. Nothing when it was not answered.
 */
export function historyOf(events: readonly TurnEvent[]): readonly ChatMessage[] {
  let question = "";
  let answer = "";
  for (const event of events) {
    if (event.type === "query.received") question = event.data.query;
    if (event.type === "answer.dialog") answer = event.data.answer;
    if (event.type !== "turn.end") continue;
    if (event.data.outcome !== "answered") return [];
    const messages = event.data["conclave.messages"];
    if (messages.some(({ role }) => role === "assistant")) return messages.map(withoutThinking);
  }
  if (question.trim() === "" || answer.trim() === "") return [];
  return [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ];
}

function withoutThinking(message: ChatMessage): ChatMessage {
  if (message.role !== "assistant" || message.thinking === undefined) return message;
  const { role, content, toolCalls } = message;
  return { role, content, ...(toolCalls === undefined ? {} : { toolCalls }) };
}

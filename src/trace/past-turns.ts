import { failed, success, type Result } from "../agent/failure.ts";
import type { ChatMessage } from "../agent/models/types.ts";
import { UNKNOWN_PARENT, type PastTurn } from "../agent/sessions/history-port.ts";
import type { LogItem } from "./log-reader.ts";
import { SummaryLines } from "./summaries.ts";

/**
 * The finished turns of a session as its conversation goes on from them, oldest first, by what its log holds. Fails
 * when the log could not be read; a line that could not be costs itself only.
 */
export async function pastTurns(items: AsyncIterable<LogItem>): Promise<Result<readonly PastTurn[]>> {
  const parents = new Map<string, string | null>();
  const turns: PastTurn[] = [];
  const summaries = new SummaryLines();
  for await (const item of items) {
    if (item.type === "problem" && item.line === 0) return failed("internal", item.message);
    if (item.type !== "event") continue;
    const { event } = item;
    summaries.take(event);
    if (event.type === "turn.start") parents.set(event.turnId, event.data["conclave.parent_turn_id"]);
    if (event.type !== "turn.end" || event.data["conclave.messages"].length === 0) continue;
    const parent = parents.get(event.turnId);
    turns.push({
      turnId: event.turnId,
      parentTurnId: parent === undefined ? UNKNOWN_PARENT : parent,
      messages: event.data["conclave.messages"].map(withoutThinking),
    });
  }
  return success(summaries.into(turns));
}

/** Thinking stays within the loop of its own turn: a later turn never sees it. */
function withoutThinking(message: ChatMessage): ChatMessage {
  if (message.role !== "assistant" || message.thinking === undefined) return message;
  return {
    role: "assistant",
    content: message.content,
    ...(message.toolCalls === undefined ? {} : { toolCalls: message.toolCalls }),
  };
}

import * as vscode from "vscode";
import type { ChatExchange } from "./conversation.ts";
import { readPrompt } from "./prompt.ts";

/** The text of a response, its Markdown parts joined. */
function textOf(response: vscode.ChatResponseTurn): string {
  return response.response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ""))
    .join("");
}

/** Commands that are turns of ours. */
const TURNS: ReadonlySet<string | undefined> = new Set([undefined, "ask", "committee", "private"]);

/**
 * VS Code's history as exchanges, oldest first. A request without a response, such as one that broke off, has an empty
 * answer. So have those that were for memory: what they said memory still holds, or it was forgotten since, and then
 * the editor's own copy must not bring it back.
 */
export function exchangesOf(history: vscode.ChatContext["history"]): readonly ChatExchange[] {
  const exchanges: ChatExchange[] = [];
  for (const [at, turn] of history.entries()) {
    if (!(turn instanceof vscode.ChatRequestTurn)) continue;
    const next = history[at + 1];
    const response = next instanceof vscode.ChatResponseTurn ? next : undefined;
    const { prompt, command } = readPrompt(turn.prompt, turn.command);
    exchanges.push({
      question: prompt,
      answer: response === undefined || !TURNS.has(command) ? "" : textOf(response),
      metadata: response?.result.metadata,
    });
  }
  return exchanges;
}

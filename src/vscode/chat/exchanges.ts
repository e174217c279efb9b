import * as vscode from "vscode";
import type { ChatExchange } from "./conversation.ts";

/** The text of a response, its Markdown parts joined. */
function textOf(response: vscode.ChatResponseTurn): string {
  return response.response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ""))
    .join("");
}

/** VS Code's history as exchanges, oldest first. A request without a response, such as one that broke off, has an empty answer. */
export function exchangesOf(history: vscode.ChatContext["history"]): readonly ChatExchange[] {
  const exchanges: ChatExchange[] = [];
  for (const [at, turn] of history.entries()) {
    if (!(turn instanceof vscode.ChatRequestTurn)) continue;
    const next = history[at + 1];
    const response = next instanceof vscode.ChatResponseTurn ? next : undefined;
    exchanges.push({
      question:
        turn.command === undefined || turn.command === "ask" || turn.command === "private"
          ? turn.prompt
          : `/${turn.command} ${turn.prompt}`,
      answer: response === undefined ? "" : textOf(response),
      metadata: response?.result.metadata,
    });
  }
  return exchanges;
}

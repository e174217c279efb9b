import type * as vscode from "vscode";
import type { Failure } from "../../agent/failure.ts";
import { failureButton } from "../failure-button.ts";
import type { Documents } from "../documents.ts";
import type { Services } from "../services.ts";
import type { ResultMetadata } from "./conversation.ts";
import { shorten } from "./words.ts";

/** What is kept of a question in a result's metadata, in characters. */
const KEPT_QUESTION = 300;

/** One request of the chat, with all that belongs to it. */
export interface Asked {
  readonly services: Services;
  readonly documents: Documents;
  readonly request: vscode.ChatRequest;
  /** What was typed, without our own name and command. */
  readonly prompt: string;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly signal: AbortSignal;
}

/** How a request ended, with what a later one finds of it. */
export type ChatResult = vscode.ChatResult & { readonly metadata: ResultMetadata };

/** Ends a request. Of a private one the question is not kept. */
export function result(
  asked: Asked,
  metadata: Omit<ResultMetadata, "question">,
  failure?: Failure,
): ChatResult {
  const question = metadata.private === true ? "" : shorten(asked.prompt, KEPT_QUESTION);
  return {
    metadata: { ...metadata, question },
    ...(failure === undefined ? {} : { errorDetails: { message: failure.message } }),
  };
}

/** Ends a request with a failure: one message, and the button that mends it. */
export function refuse(asked: Asked, failure: Failure, sessionId?: string): ChatResult {
  const place = { question: asked.prompt, ...(sessionId === undefined ? {} : { sessionId }) };
  const outcome = failure.code === "cancelled" ? "cancelled" : "refused";
  const metadata = { outcome, ...(sessionId === undefined ? {} : { sessionId }) } as const;
  if (outcome === "cancelled") return result(asked, metadata);
  showButton(asked.stream, failure, place);
  return result(asked, metadata, failure);
}

/** Shows the button that mends a failure, if there is one. */
export function showButton(
  stream: vscode.ChatResponseStream,
  failure: Failure,
  place: { readonly question: string; readonly sessionId?: string },
): void {
  // The chat has its own way to send a question again.
  const button = failure.action === "retry" ? undefined : failureButton(failure, place);
  if (button) stream.button({ ...button, arguments: [...(button.arguments ?? [])] });
}

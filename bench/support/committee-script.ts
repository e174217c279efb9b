import { done, text, toolCall, words } from "../../test/support/ollama/index.ts";
import type { ChatRequestView, ReplyStep } from "../../test/support/ollama/index.ts";
import { randomFrom } from "./memory-data.ts";
import { plainText } from "./plain-words.ts";

/** Words of one speech. */
const SPEECH_WORDS = 90;

/** What the members hold; no two of them the same, so that the committee goes on to its end. */
const POSITIONS = ["keep it", "replace it now", "replace it in spring", "measure it first", "ask the users"];

/**
 * What a model says in a committee: a position and its reasons for whoever speaks, each speech with words of its own;
 * for whoever judges, that they do not agree.
 */
export function speech({ body, count }: ChatRequestView, length = SPEECH_WORDS): ReplyStep[] {
  if (body.format !== undefined) {
    return [text(JSON.stringify({ agree: false, positions: POSITIONS.slice(0, 4) })), done()];
  }
  const position = `Position: ${POSITIONS[count % POSITIONS.length] ?? ""}, by reason ${count}.`;
  return [...words(`${position}\n${plainText(randomFrom(count), length)}\n`), done()];
}

/** The same, from a model that calls a tool wherever it may, until it is told to answer. */
export function restlessSpeech(view: ChatRequestView): ReplyStep[] {
  const { body, count } = view;
  const isTold = body.messages.at(-1)?.role === "user" && body.messages.at(-2)?.role === "tool";
  if (body.tools.length === 0 || body.format !== undefined || isTold) return speech(view);
  return [toolCall("search_memory", { query: `what was said of ${count}` }), done()];
}

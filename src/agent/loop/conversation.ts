import { composed } from "../message-parts.ts";
import type { ChatMessage } from "../models/types.ts";
import { ANSWER_FROM_TOLD } from "../prompt.ts";
import type { Run } from "./types.ts";

/** The messages of the next request. */
export function conversation(run: Run): readonly ChatMessage[] {
  const { prompt, context } = run.input;
  return [prompt.system, ...context.past.messages, ...asked(run), ...run.own];
}

/** The question behind what was recalled; in one message where that is what the answer is to be taken from. */
function asked({ input: { prompt }, recalled, told }: Run): readonly ChatMessage[] {
  const { question } = prompt;
  if (recalled === undefined) return [question];
  if (told.length === 0 || question.role !== "user") return [recalled, question];
  return [
    composed("user", [
      { source: "memory", text: recalled.content },
      { source: "question", text: question.content },
      { source: "note", text: ANSWER_FROM_TOLD },
    ]),
  ];
}

import { isJsonObject } from "../json.ts";
import { madeOf } from "../message-parts.ts";
import { parseJson } from "../models/capabilities.ts";
import type { ChatMessage, ChatRequest } from "../models/types.ts";
import { PlainReader } from "../protocols/plain-reader.ts";
import { countTokens } from "./ask-model.ts";
import { receive } from "./receive.ts";
import type { Run } from "./types.ts";

/** One word and its braces. */
const WORD_TOKENS = 24;

/** A question to the model that is answered by yes or no: `name` is the only field of the answer. */
export interface YesOrNo {
  readonly name: string;
  readonly words: string;
}

/**
 * Asks the run's model for one word behind some messages; undefined where it gave none. One word a call: of several in
 * one object a small model gets none right (docs/evidence.md). What it takes is counted as the run's own. Never throws.
 */
export async function yesOrNo(
  run: Run,
  messages: readonly ChatMessage[],
  question: YesOrNo,
): Promise<boolean | undefined> {
  const { deps } = run;
  const leave = await deps.gate.enter(deps.signal);
  if (leave === undefined) return undefined;
  const reader = new PlainReader();
  try {
    const { usage } = await receive(
      run,
      request(run, messages, question),
      reader,
      () => undefined,
      () => reader.retract(),
    );
    countTokens(run, usage);
    const said = parseJson(reader.finish().reading.answer);
    const word = isJsonObject(said) ? said[question.name] : undefined;
    return typeof word === "boolean" ? word : undefined;
  } finally {
    leave();
  }
}

function request(
  { input, think }: Run,
  messages: readonly ChatMessage[],
  { name, words }: YesOrNo,
): ChatRequest {
  const ask = `${words} Answer as JSON: {"${name}": true} or {"${name}": false}.`;
  return {
    messages: [...messages, madeOf("user", "note", ask)],
    format: {
      type: "object",
      properties: { [name]: { type: "boolean" } },
      required: [name],
      additionalProperties: false,
    },
    maxTokens: WORD_TOKENS,
    runner: input.runner,
    temperature: 0,
    ...(think !== undefined && { think: false }),
  };
}

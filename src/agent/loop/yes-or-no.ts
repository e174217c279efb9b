import { isJsonObject } from "../json.ts";
import { madeOf } from "../message-parts.ts";
import { parseJson } from "../models/capabilities.ts";
import type { ChatMessage, ChatRequest, PlacedLogprob, TokenLogprob } from "../models/types.ts";
import { PlainReader } from "../protocols/plain-reader.ts";
import { countTokens } from "./ask-model.ts";
import { receive } from "./receive.ts";
import type { Run } from "./types.ts";

/** One word and its braces. */
const WORD_TOKENS = 24;
/** Both words, each with and without a space before it, and what a grammar would not allow. */
const TOP_LOGPROBS = 10;

/** A question to the model that is answered by yes or no: `name` is the only field of the answer. */
export interface YesOrNo {
  readonly name: string;
  readonly words: string;
}

/**
 * How likely the run's model finds it, from 0 to 1, that a question behind some messages is answered by yes; where its
 * server tells no likelihoods, 1 or 0 by its word, and undefined where it gave none. One question a call: of several in
 * one object a small model gets none right. What it takes is counted as the run's own. Never throws.
 */
export async function yesLikelihood(
  run: Run,
  messages: readonly ChatMessage[],
  question: YesOrNo,
): Promise<number | undefined> {
  const { deps } = run;
  const leave = await deps.gate.enter(deps.signal);
  if (leave === undefined) return undefined;
  const reader = new PlainReader();
  try {
    const { usage, logprobs } = await receive(
      run,
      request(run, messages, question),
      reader,
      () => undefined,
      () => reader.retract(),
    );
    countTokens(run, usage);
    const said = parseJson(reader.finish().reading.answer);
    const word = isJsonObject(said) ? said[question.name] : undefined;
    return typeof word === "boolean" ? (likelihoodOfTrue(logprobs) ?? Number(word)) : undefined;
  } finally {
    leave();
  }
}

/** The share of `true` among what could have stood in the place of the only value of an object. */
function likelihoodOfTrue(places: readonly PlacedLogprob[]): number | undefined {
  let before = "";
  for (const { token, top } of places) {
    if (before.trimEnd().endsWith(":") && token.trim() !== "") {
      const [yes, no] = [weightOf("true", top), weightOf("false", top)];
      return yes + no > 0 ? yes / (yes + no) : undefined;
    }
    before += token;
  }
  return undefined;
}

/** The likelihood of all tokens that begin a word. */
function weightOf(word: string, top: readonly TokenLogprob[]): number {
  return top
    .filter(({ token }) => token.trim() !== "" && word.startsWith(token.trim()))
    .reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
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
    topLogprobs: TOP_LOGPROBS,
    runner: input.runner,
    temperature: 0,
    ...(think !== undefined && { think: false }),
  };
}

import { isJsonObject } from "../json.ts";
import { madeOf } from "../message-parts.ts";
import { parseJson } from "../models/capabilities.ts";
import type { ChatMessage, ChatRequest, ModelUsage, PlacedLogprob, TokenLogprob } from "../models/types.ts";
import { PlainReader } from "../protocols/plain-reader.ts";
import type { Place } from "../emitter.ts";
import { usageData } from "../usage-data.ts";
import { countTokens } from "./ask-model.ts";
import { receive } from "./receive.ts";
import type { Run } from "./types.ts";

/** One word and its braces. */
const WORD_TOKENS = 24;
/** Both words, each with and without a space before it, and what a grammar would not allow. */
const TOP_LOGPROBS = 10;

/** A question to the model that is answered by yes or no. */
export interface YesOrNo {
  /** The only field of the answer. */
  readonly name: string;
  readonly words: string;
  /** The words without the texts that they are about, for people; left out: there are none. */
  readonly told?: string;
  /** From which likelihood of yes on that is the answer, from 0 to 1. */
  readonly from: number;
}

/**
 * Whether the run's model finds it likely enough that a question behind some messages is answered by yes; undefined
 * where it gave neither word. One question a call: of several in one object a small model gets none right. What it
 * takes is counted as the run's own, and told as an event at a place. Never throws.
 */
export async function isLikely(
  run: Run,
  messages: readonly ChatMessage[],
  question: YesOrNo,
  place: Place,
): Promise<boolean | undefined> {
  const { emitter, identity } = run.deps;
  const began = identity.now();
  const answer = await ask(run, messages, question);
  if (answer === undefined) return undefined;
  const { likelihood, usage } = answer;
  emitter.emit("model.check", place, {
    question: question.told ?? question.words,
    ...(likelihood !== undefined && { likelihood }),
    from: question.from,
    "conclave.duration_ms": identity.now() - began,
    ...usageData(usage),
  });
  return likelihood === undefined ? undefined : likelihood >= question.from;
}

/** The likelihood of yes; where its server tells none, 1 or 0 by its word. */
async function ask(
  run: Run,
  messages: readonly ChatMessage[],
  question: YesOrNo,
): Promise<{ readonly likelihood: number | undefined; readonly usage: ModelUsage } | undefined> {
  const { deps } = run;
  const leave = await deps.gate.enter(deps.signal);
  if (leave === undefined) return undefined;
  const reader = new PlainReader();
  try {
    const { usage, logprobs, failure } = await receive(
      run,
      request(run, messages, question),
      reader,
      () => undefined,
      () => reader.retract(),
    );
    countTokens(run, usage);
    if (failure !== undefined) return undefined;
    const said = parseJson(reader.finish().reading.answer);
    const word = isJsonObject(said) ? said[question.name] : undefined;
    const likelihood = typeof word === "boolean" ? (likelihoodOfTrue(logprobs) ?? Number(word)) : undefined;
    return { likelihood, usage };
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

import { isJsonObject } from "../json.ts";
import { madeOf } from "../message-parts.ts";
import { parseJson } from "../models/capabilities.ts";
import type {
  ChatMessage,
  ChatRequest,
  JsonObject,
  ModelUsage,
  PlacedLogprob,
  TokenLogprob,
} from "../models/types.ts";
import { PlainReader } from "../protocols/plain-reader.ts";
import { usageData } from "../usage-data.ts";
import { cutAtGrapheme } from "../text.ts";
import { countTokens } from "./ask-model.ts";
import { receive } from "./receive.ts";
import type { Run } from "./types.ts";

/** One word, and what some models put before it; in an object there is more around it. */
const WORD_TOKENS = 3;
const OBJECT_TOKENS = 24;
/** Both words, in several spellings. */
const TOP_LOGPROBS = 10;

/** What of a user's question such a question quotes, in UTF-16 units. */
const MAX_QUOTED = 1_000;

/** A user's text as a question quotes it: cut short, in quotes that the text itself can't close. */
export function inQuotes(text: string): string {
  return `"${cutAtGrapheme(text, MAX_QUOTED).replaceAll('"', "'")}"`;
}

/** A question to the model that is answered by yes or no. */
export interface YesOrNo {
  readonly words: string;
  /** The words without the texts that they are about, for people; left out: there are none. */
  readonly told?: string;
  /**
   * The answer is an object with this field alone, true or false; left out: it is the word itself. Within a conversation
   * only objects are answered to the point, apart from one words are, and they are quicker (docs/evidence.md).
   */
  readonly field?: string;
  /** From which likelihood of yes on that is the answer, from 0 to 1. */
  readonly from: number;
  /** The memory that it is about. */
  readonly episodeId?: string;
}

/** Whether the model finds a yes likely enough; undefined where it gave neither word. See `yesLikelihood`. */
export async function isLikely(
  run: Run,
  messages: readonly ChatMessage[],
  question: YesOrNo,
): Promise<boolean | undefined> {
  const likelihood = await yesLikelihood(run, messages, question);
  return likelihood === undefined ? undefined : likelihood >= question.from;
}

/**
 * How likely the run's model finds it, from 0 to 1, that a question behind some messages is answered by yes; where its
 * server tells no likelihoods, 1 or 0 by its word, and undefined where it gave neither. One question a call: of several
 * at once a small model gets none right. What it takes is counted as the run's own, and told as an event of the agent.
 * Never throws.
 */
export async function yesLikelihood(
  run: Run,
  messages: readonly ChatMessage[],
  question: YesOrNo,
): Promise<number | undefined> {
  const { emitter, identity } = run.deps;
  const began = identity.now();
  const answer = await ask(run, messages, question);
  if (answer === undefined) return undefined;
  const { likelihood, usage } = answer;
  emitter.emit(
    "model.check",
    { parentId: emitter.agentId },
    {
      question: question.told ?? question.words,
      ...(likelihood !== undefined && { likelihood }),
      from: question.from,
      ...(question.episodeId !== undefined && { episodeId: question.episodeId }),
      "conclave.duration_ms": identity.now() - began,
      ...usageData(usage),
    },
  );
  return likelihood;
}

interface Answer {
  readonly likelihood: number | undefined;
  readonly usage: ModelUsage;
}

async function ask(
  run: Run,
  messages: readonly ChatMessage[],
  question: YesOrNo,
): Promise<Answer | undefined> {
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
    const word = wordOf(reader.finish().reading.answer, question);
    if (word === undefined) return { likelihood: undefined, usage };
    return { likelihood: likelihoodOfYes(logprobs, question) ?? Number(word), usage };
  } finally {
    leave();
  }
}

/** Whether a yes was said; undefined where it was neither. */
function wordOf(said: string, { field }: YesOrNo): boolean | undefined {
  if (field === undefined) {
    const [word = ""] = /[a-z]+/i.exec(said) ?? [];
    return ({ yes: true, no: false } as { readonly [word: string]: boolean })[word.toLowerCase()];
  }
  const object = parseJson(said);
  const word = isJsonObject(object) ? object[field] : undefined;
  return typeof word === "boolean" ? word : undefined;
}

/** The share of yes among what could have stood in the place of the word. */
function likelihoodOfYes(places: readonly PlacedLogprob[], { field }: YesOrNo): number | undefined {
  const [yes, no] = field === undefined ? ["yes", "no"] : ["true", "false"];
  const place = places.find(({ token }) => begins(yes, token) || begins(no, token));
  if (place === undefined) return undefined;
  const [likely, unlikely] = [weightOf(yes, place.top), weightOf(no, place.top)];
  return likely + unlikely > 0 ? likely / (likely + unlikely) : undefined;
}

/** The likelihood of all tokens that begin a word. */
function weightOf(word: string, top: readonly TokenLogprob[]): number {
  return top
    .filter(({ token }) => begins(word, token))
    .reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
}

function begins(word: string, token: string): boolean {
  const letters = token.trim().toLowerCase();
  return letters !== "" && word.startsWith(letters);
}

function request(
  { input, think }: Run,
  messages: readonly ChatMessage[],
  { words, field }: YesOrNo,
): ChatRequest {
  const how =
    field === undefined ? "Answer yes or no." : `Answer as JSON: {"${field}": true} or {"${field}": false}.`;
  return {
    messages: [...messages, madeOf("user", "note", `${words} ${how}`)],
    ...(field !== undefined && { format: objectOf(field) }),
    maxTokens: field === undefined ? WORD_TOKENS : OBJECT_TOKENS,
    topLogprobs: TOP_LOGPROBS,
    runner: input.runner,
    temperature: 0,
    ...(think !== undefined && { think: false }),
  };
}

function objectOf(field: string): JsonObject {
  return {
    type: "object",
    properties: { [field]: { type: "boolean" } },
    required: [field],
    additionalProperties: false,
  };
}

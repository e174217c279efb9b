import { isObject } from "./json.ts";
import type { KnownModel } from "./models.ts";
import { delay, done, pieces, text, thinking, toolCall } from "./replies.ts";
import { thinks } from "./render.ts";
import { smallestValue } from "./schema.ts";
import type { ChatBody, ReplyStep } from "./types.ts";

const THOUGHT = "The user asks something. I will answer in one sentence.";
const ANSWER = "This is the scripted model speaking: it has no script for this question.";

/**
 * What the server says without a script: thinking where it is on, then a sentence, or the smallest JSON that
 * `format` allows. JSON that names an offered tool becomes a native call, as the real server's parser makes it.
 * `num_predict` and `stop` are kept.
 */
export function* pseudoReply(
  model: KnownModel,
  body: ChatBody,
  tokenDelayMs: number,
): Generator<ReplyStep, undefined, undefined> {
  const limit = Number(body.options["num_predict"] ?? -1);
  let left = limit > 0 ? limit : Infinity;
  const pace = tokenDelayMs > 0 ? [delay(tokenDelayMs)] : [];
  if (thinks(model, body)) {
    for (const piece of pieces(THOUGHT)) {
      if (left-- <= 0) {
        yield done({ done_reason: "length" });
        return;
      }
      yield* pace;
      yield thinking(piece);
    }
  }
  const answer = cutAtStop(answerText(body), body.options["stop"]);
  const call = body.format === undefined ? undefined : offeredCall(answer, body);
  if (call !== undefined) {
    yield toolCall(call.name, call.arguments);
    return;
  }
  for (const piece of body.format === undefined ? pieces(answer) : jsonPieces(answer)) {
    if (left-- <= 0) {
      yield done({ done_reason: "length" });
      return;
    }
    yield* pace;
    yield text(piece);
  }
}

function answerText(body: ChatBody): string {
  if (body.format === undefined) return ANSWER;
  return JSON.stringify(body.format === "json" ? {} : smallestValue(body.format, ANSWER));
}

/** Tokens of JSON are about four characters long. */
function jsonPieces(json: string): readonly string[] {
  return json.match(/[^]{1,4}/g) ?? [];
}

function cutAtStop(answer: string, stop: unknown): string {
  const stops = Array.isArray(stop) ? (stop as readonly unknown[]) : [stop];
  const cuts = stops.flatMap((one) => (typeof one === "string" && one !== "" ? [answer.indexOf(one)] : []));
  return answer.slice(0, Math.min(answer.length, ...cuts.filter((at) => at >= 0)));
}

function offeredCall(
  answer: string,
  body: ChatBody,
): { readonly name: string; readonly arguments: unknown } | undefined {
  if (body.tools.length === 0) return undefined;
  const value: unknown = JSON.parse(answer);
  if (!isObject(value) || typeof value["name"] !== "string" || !isObject(value["arguments"]))
    return undefined;
  const { name } = value;
  const offered = body.tools.some((tool) => tool.function.name === name);
  return offered ? { name, arguments: value["arguments"] } : undefined;
}

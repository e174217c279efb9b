import { request, type Dispatcher } from "undici";
import { describeError } from "../../../agent/failure.ts";
import { isJsonObject } from "../../../agent/json.ts";
import { oneLine } from "../../text.ts";

/** What a collector made of a request. */
export type Posted =
  | { readonly kind: "taken"; readonly remark: string }
  /** It may do better later; `retryAfter`: what the server says of when. */
  | { readonly kind: "later"; readonly reason: string; readonly retryAfter: string | undefined }
  | { readonly kind: "refused"; readonly reason: string };

/** Statuses after which the same request is worth another try (OTLP/HTTP). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** So much of an answer is read, in bytes. */
const MAX_ANSWER = 64 * 1024;
const MAX_REMARK = 300;

/** How long a collector may take, in milliseconds. */
const TIMEOUT = 30_000;

/** What a request is sent with. */
export interface PostParts {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Sends spans to a collector, once. Follows no redirect. Never rejects. */
export async function post(url: URL, body: string, { dispatcher, signal, now }: PostParts): Promise<Posted> {
  try {
    const answer = await request(url, {
      ...{ method: "POST", body, dispatcher, signal, headersTimeout: TIMEOUT, bodyTimeout: TIMEOUT },
      headers: { "content-type": "application/json", "user-agent": "conclave" },
    });
    const text = await beginning(answer.body, now);
    const { statusCode: status, headers } = answer;
    if (status >= 200 && status < 300) return { kind: "taken", remark: partialRemark(text) };
    if (status >= 300 && status < 400)
      return { kind: "refused", reason: `it answered with a redirect (${status}), which is not followed` };
    const reason = `it answered ${status}${text === "" ? "" : `: ${oneLine(text, MAX_REMARK)}`}`;
    if (!RETRYABLE.has(status)) return { kind: "refused", reason };
    const wait = headers["retry-after"];
    return { kind: "later", reason, retryAfter: Array.isArray(wait) ? wait[0] : wait };
  } catch (error) {
    return { kind: "later", reason: describeError(error), retryAfter: undefined };
  }
}

async function beginning(body: Dispatcher.ResponseData["body"], now: () => number): Promise<string> {
  const parts: Buffer[] = [];
  const began = now();
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    // Leaving the loop closes the connection: the rest is not waited for, nor what comes byte by byte.
    if (size >= MAX_ANSWER || now() - began > TIMEOUT) break;
  }
  return Buffer.concat(parts).toString("utf8", 0, MAX_ANSWER);
}

/** What a collector says of spans that it did not take, of a request that it took. */
function partialRemark(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    // Many collectors answer with nothing, or with words.
    return "";
  }
  const partial = objectIn(answer, "partialSuccess", "partial_success");
  const rejected = Number(partial["rejectedSpans"] ?? partial["rejected_spans"] ?? 0);
  const message = partial["errorMessage"] ?? partial["error_message"];
  const words = typeof message === "string" ? message : "";
  if (!(rejected > 0) && words === "") return "";
  return oneLine(`${rejected > 0 ? rejected : "no"} spans refused: ${words}`, MAX_REMARK);
}

/** An object by either of its names; an empty one for anything else. */
function objectIn(value: unknown, name: string, other: string): Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) return {};
  const inner = value[name] ?? value[other];
  return isJsonObject(inner) ? inner : {};
}
